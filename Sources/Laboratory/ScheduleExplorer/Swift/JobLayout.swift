import VirtualTime

// The layout of jobs, tasks and actors in Swift 6.3 on 64-bit systems. Only this file reads it.
#if SwiftExecutors && os(Linux) && _pointerBitWidth(_64) && compiler(>=6.3) && compiler(<6.4)
  extension UnownedJob {
    /// The task that resumes when this waiting job runs: the job itself, or the first task in the queue of its actor.
    /// Nil for other jobs.
    var task: UnownedJob? {
      let job = unsafeBitCast(self, to: UnsafeRawPointer.self)
      switch job.kind {
      case JobLayout.task: return self
      case JobLayout.actor:
        return job[pointer: JobLayout.actorOfJob]?.firstJobOfActor.flatMap { first in
          first.kind == JobLayout.task ? unsafeBitCast(first, to: UnownedJob.self) : nil
        }
      default: return nil
      }
    }

    /// Whether the job only resumes a task that has yielded.
    var isYield: Bool { unsafeBitCast(self, to: UnsafeRawPointer.self).kind == JobLayout.yield }

    /// The name of a task that waits or runs on this thread. Nil if the name is empty.
    var taskName: String? {
      let task = unsafeBitCast(self, to: UnsafeRawPointer.self)
      guard task.kind == JobLayout.task else { return nil }
      var record = task[pointer: JobLayout.innermostRecord]
      while let current = record {
        if current.load(as: UInt8.self) == JobLayout.nameRecord, let text = current[pointer: JobLayout.nameOfRecord] {
          let name = String(cString: text.assumingMemoryBound(to: CChar.self))
          return name.isEmpty ? nil : name
        }
        record = current[pointer: JobLayout.outerRecord]
      }
      return nil
    }

    /// The task that this task is awaiting, or the first task of the group that it is awaiting.
    var awaitedTask: UnownedJob? {
      let task = unsafeBitCast(self, to: UnsafeRawPointer.self)
      guard task.isSuspended, let wait = task[pointer: JobLayout.innermostRecord] else { return nil }
      let awaited: UnsafeRawPointer?
      switch wait.load(fromByteOffset: JobLayout.kindOfWait, as: UInt8.self) {
      case JobLayout.waitForTask: awaited = wait[pointer: JobLayout.targetOfWait]
      case JobLayout.waitForGroup:
        var record = wait[pointer: JobLayout.outerRecord]
        while let current = record, current.load(as: UInt8.self) != JobLayout.groupRecord {
          record = current[pointer: JobLayout.outerRecord]
        }
        awaited = record?[pointer: JobLayout.firstTaskOfGroup]
      default: awaited = nil
      }
      return awaited.flatMap { $0.isSuspended ? unsafeBitCast($0, to: UnownedJob.self) : nil }
    }

    /// The addresses where a waiting task resumes and where its awaiting functions resume, innermost first.
    var resumePoints: [CodeAddress] {
      let task = unsafeBitCast(self, to: UnsafeRawPointer.self)
      guard task.kind == JobLayout.task else { return [] }
      return AsyncPoint(resume: task[pointer: JobLayout.function], context: task[pointer: JobLayout.context])
        .resumePoints
    }
  }

  extension AsyncPoint {
    /// The address where the task resumes, and those where its awaiting functions resume.
    var resumePoints: [CodeAddress] {
      var points = [resume]
      var context = context
      while let current = context, points.count < JobLayout.maximumPoints {
        points.append(current[pointer: JobLayout.callersFunction])
        context = current[pointer: 0]
      }
      return points.compactMap { $0.map { CodeAddress(UInt64(UInt(bitPattern: $0)), isBehindCall: false) } }
    }
  }

  /// Byte offsets, and the numbers that identify kinds. The context of an async function starts with its caller's
  /// context.
  private enum JobLayout {
    static let next = 16
    static let kind = 32
    static let priority = 33
    static let function = 56
    static let context = 64
    static let callersFunction = 8
    /// A task's status is a list of records, each of which starts with its kind.
    static let innermostRecord = 104
    static let outerRecord = 8
    static let nameOfRecord = 16
    static let firstTaskOfGroup = 16
    static let targetOfWait = 16
    static let kindOfWait = 32
    static let actorOfJob = 64
    /// Jobs that have arrived since the actor last ran, newest first.
    static let newJobsOfActor = 40
    /// The other jobs, sorted by priority.
    static let sortedJobsOfActor = 64

    static let task: UInt8 = 0
    static let actor: UInt8 = 193
    static let yield: UInt8 = 195
    /// The kind of a suspended task's innermost record.
    static let waitRecord: UInt8 = 0
    static let groupRecord: UInt8 = 2
    static let nameRecord: UInt8 = 6
    static let waitForTask: UInt8 = 1
    static let waitForGroup: UInt8 = 3
    static let maximumPoints = 32
  }

  extension UnsafeRawPointer {
    fileprivate subscript(pointer offset: Int) -> UnsafeRawPointer? {
      load(fromByteOffset: offset, as: UnsafeRawPointer?.self)
    }

    fileprivate var kind: UInt8 { load(fromByteOffset: JobLayout.kind, as: UInt8.self) }
    fileprivate var isSuspended: Bool {
      kind == JobLayout.task && self[pointer: JobLayout.innermostRecord]?.load(as: UInt8.self) == JobLayout.waitRecord
    }
    fileprivate var priority: UInt8 { load(fromByteOffset: JobLayout.priority, as: UInt8.self) }

    /// The job with the highest priority. If several jobs have it, the oldest one.
    fileprivate var firstJobOfActor: UnsafeRawPointer? {
      var first = self[pointer: JobLayout.sortedJobsOfActor]
      var newest: UnsafeRawPointer?
      var job = self[pointer: JobLayout.newJobsOfActor]
      while let current = job {
        if current.priority >= newest?.priority ?? 0 { newest = current }
        job = current[pointer: JobLayout.next]
      }
      if let newest, newest.priority > first?.priority ?? 0 { first = newest }
      return first
    }
  }
#else
  extension UnownedJob {
    var task: UnownedJob? { nil }
    var isYield: Bool { false }
    var taskName: String? { nil }
    var awaitedTask: UnownedJob? { nil }
    var resumePoints: [CodeAddress] { [] }
  }

  extension AsyncPoint {
    var resumePoints: [CodeAddress] { [] }
  }
#endif
