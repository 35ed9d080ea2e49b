import FetcherModel
import Foundation
import ModelFixtures
import Testing

@Suite struct ImageLifeTests {
  let picture = Picture.placeholder

  @Test("The first read starts a fetch, and further reads do not")
  func theFirstReadStartsAFetchAndFurtherReadsDoNot() {
    var life = ImageLife()
    #expect(life.state == .idle)
    #expect(life.read() == 1)
    for _ in 0..<1000 { #expect(life.read() == nil) }
    #expect(life.state == .fetching(previous: nil))
  }

  @Test("A loaded picture is shown without another fetch")
  func aPictureIsShownWithoutAFetch() {
    var life = ImageLife()
    _ = life.read()
    #expect(life.finish(1, with: .success(picture)) == .announceFetched(picture))
    #expect(life.read() == nil)
    #expect(life.generation == 1)
  }

  @Test("A read after a failure starts a new fetch")
  func aFailureIsNotRemembered() {
    var life = ImageLife()
    _ = life.read()
    #expect(life.finish(1, with: .failure(.badStatus(404))) == .announceFailed(.badStatus(404)))
    #expect(life.state == .failed(.badStatus(404)))
    #expect(life.read() == 2)
    #expect(life.state == .fetching(previous: nil))
  }

  @Test("A late result from an older fetch is dropped while a newer fetch runs")
  func aLateResultOfAnOlderFetchIsDroppedWhileTheNewerRuns() {
    var life = ImageLife()
    _ = life.read()
    #expect(life.cancel() == true)
    #expect(life.read() == 2)
    #expect(life.finish(1, with: .success(picture)) == .drop)
    #expect(life.state == .fetching(previous: nil))
    #expect(life.finish(2, with: .failure(.emptyBody)) == .announceFailed(.emptyBody))
  }

  @Test("A late failure does not overwrite a newer picture")
  func aLateFailureDoesNotOverwriteANewerPicture() {
    var life = ImageLife()
    _ = life.read()
    _ = life.cancel()
    _ = life.read()
    _ = life.finish(2, with: .success(picture))
    #expect(life.finish(1, with: .failure(.timedOut)) == .drop)
    #expect(life.state == .loaded(picture))
  }

  @Test("A fetch that the strategy reports as cancelled returns the image to idle")
  func aFetchThatIsCancelledElsewhereEndsAsACancelDoes() {
    var life = ImageLife()
    _ = life.read()
    #expect(life.finish(1, with: .failure(.cancelled)) == .announceCancelled)
    #expect(life.state == .idle)
    #expect(life.read() == 2)
  }

  @Test("A fetch ends only once")
  func aFetchEndsOnce() {
    var life = ImageLife()
    _ = life.read()
    _ = life.finish(1, with: .success(picture))
    #expect(life.finish(1, with: .success(picture)) == .drop)
    #expect(life.finish(1, with: .failure(.timedOut)) == .drop)
  }

  @Test("A cancel has an effect only while a fetch is in flight")
  func cancelChangesNothingUnlessAFetchIsUnderWay() {
    var life = ImageLife()
    #expect(life.cancel() == false)
    _ = life.read()
    #expect(life.cancel() == true)
    #expect(life.cancel() == false)
    #expect(life.state == .idle)
    _ = life.read()
    _ = life.finish(2, with: .success(picture))
    #expect(life.cancel() == false)
    #expect(life.state == .loaded(picture))
  }

  @Test("A picture from the cache is accepted only while no fetch runs")
  func aPictureAtHandIsAcceptedOnlyWhileNoFetchRuns() {
    var life = ImageLife()
    life.accept(picture)
    #expect(life.state == .loaded(picture))
    var other = ImageLife()
    _ = other.read()
    other.accept(picture)
    #expect(other.state == .fetching(previous: nil))
  }

  @Test("A picture from the cache does not replace a loaded picture")
  func aPictureFromTheCacheDoesNotReplaceALoadedOne() throws {
    var life = ImageLife()
    life.accept(picture)
    life.accept(try Picture(validating: Sample.gif.bytes))
    #expect(life.state == .loaded(picture))
  }

  @Test("Unloading leads to idle from every state, and ends a fetch in flight")
  func unload() {
    var life = ImageLife()
    #expect(life.unload() == false)
    _ = life.read()
    #expect(life.unload() == true && life.state == .idle)
    #expect(life.finish(1, with: .success(picture)) == .drop)
    life.accept(picture)
    #expect(life.unload() == false && life.state == .idle)
    life.accept(picture)
    _ = life.reload()
    #expect(life.unload() == true && life.state == .idle)
  }
}
