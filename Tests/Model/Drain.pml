/* Draining: drain() returns when all that was accepted before it has been handled, follow-up posts included, and it does
   return. Two scenarios, each with two posters, the thread of a mailbox, and a thread that drains at any time:

   FOLLOW_UPS   An event is posted inline; its handler posts one event that waits in the thread's own queue, and one that
                goes to the mailbox. Another thread posts to the mailbox.
   TWO_DRAINS   Two events are posted inline, one after the other. Another thread posts to the mailbox, and
                then drains as well. */

#define RECORDS 3
#include "Records.h"

/* Events, as bits. */
#define INLINE   1     /* posted by Poster */
#define NESTED   2     /* by the handler of INLINE; in TWO_DRAINS after it */
#define QUEUED   4     /* the same, to the mailbox */
#define POSTED   8     /* by the other thread, to the mailbox */
#ifdef TWO_DRAINS
#define FOLLOWING 0
#else
#define FOLLOWING (NESTED | QUEUED)
#endif
#define WITH_FOLLOWUPS(events) ((events) | (((events) & INLINE) -> FOLLOWING : 0))
byte accepted, handled;

short pending;
bool watched;

/* Under the lock of those that wait. */
bool idleLock;
byte waiting;                  /* bits of the drains that wait */
bool isAwaiting;               /* for a delivery that must end first */
byte awaitedRecord, awaitedEntry;
byte resumed;                  /* their continuations were resumed */

/* Under the registry's lock. */
bool registryLock;
bool waitsForLeave[RECORDS];   /* a waiter whose action is check() */

chan mailbox = [2] of { byte };

/* Looks whether the bus is idle, and then resumes those that wait. The lock of those that wait is held for the whole look. */
inline check() {
  if
  :: atomic { !watched /* K1 */ -> skip }
  :: atomic { watched -> skip };
     if
     :: atomic { pending != 0 /* K2 */ -> skip }
     :: atomic { pending == 0 -> skip };
#ifndef MUTATION_LOOK_BEFORE_LOCKING
        atomic { !idleLock -> idleLock = true };
#endif
        if
#ifndef MUTATION_LOOK_BEFORE_LOCKING
        :: atomic { isAwaiting && position[awaitedRecord] != OUTSIDE /* K3 */ && entries[awaitedRecord] == awaitedEntry ->
             isThere = true }    /* that thread looks again */
        :: atomic { !(isAwaiting && position[awaitedRecord] != OUTSIDE && entries[awaitedRecord] == awaitedEntry) ->
             isAwaiting = false; r = 0 };
#else
        :: atomic { true -> r = 0 };
#endif
           do
           :: atomic { r < RECORDS && position[r] == OUTSIDE /* K4 */ -> r++ }
           :: atomic { r < RECORDS && position[r] != OUTSIDE -> skip };
              noted = entries[r];                      /* K5 */
#ifdef MUTATION_RECHECK_BEFORE_AWAITED
              atomic { !registryLock -> registryLock = true; isThere = position[r] != OUTSIDE && entries[r] == noted };
              atomic {
                awaited[r] = awaited[r] | LEAVE;
#else
              atomic { !registryLock -> registryLock = true; awaited[r] = awaited[r] | LEAVE /* V2 */ };
              atomic {
                isThere = position[r] != OUTSIDE && entries[r] == noted /* V3 */;
#endif
                registryLock = false;
                if
                :: isThere ->
                   waitsForLeave[r] = true; isAwaiting = true; awaitedRecord = r; awaitedEntry = noted; noted = 0; break
                :: else -> noted = 0; r++
                fi
              }
           :: atomic { r == RECORDS -> break }
           od;
           atomic { r = 0 }
        fi;
        if
#ifdef MUTATION_NO_SECOND_LOOK
        :: atomic { !isThere ->
#else
        :: atomic { !isThere && pending != 0 /* K6 */ -> idleLock = false }
        :: atomic { !isThere && pending == 0 ->
#endif
#ifdef MUTATION_LOOK_BEFORE_LOCKING
             skip };
           atomic { !idleLock ->
#endif
             resumed = resumed | waiting;
             waiting = 0;
             watched = false;                          /* K7 */
             idleLock = false
           }
        :: atomic { isThere -> isThere = false; idleLock = false }
        fi
     fi
  fi
}

/* Something that was pending has been handled. */
inline settled() {
#ifdef MUTATION_LOOK_BEFORE_SETTLING
  isWatched = watched;
  pending--;
  if
  :: atomic { isWatched -> isWatched = false }; check()
  :: atomic { !isWatched -> skip }
  fi
#else
  pending--;                                           /* P2 */
  check()
#endif
}

inline enter(me, events) {
#ifndef WITHOUT_ENTRIES
  entries[me] = (entries[me] + 1) % ENTRIES;           /* D1 */
#endif
  position[me] = CHANNEL;                              /* D2 */
  accepted = accepted | (events)
}

inline leave(me, events) {
#ifdef MUTATION_LOOK_BEFORE_LEAVING
  isWatched = awaited[me] != 0;
  atomic { position[me] = OUTSIDE; handled = handled | (events) };
#else
  atomic { position[me] = OUTSIDE /* D8 */; handled = handled | (events) };
  isWatched = awaited[me] != 0;                        /* D9 */
#endif
  if
  :: atomic { isWatched -> isWatched = false };
     atomic {
       !registryLock ->
       isThere = waitsForLeave[me];                    /* W1 */
       waitsForLeave[me] = false;
       awaited[me] = 0                                 /* W2 */
     };
     if
     :: atomic { isThere -> isThere = false }; check()
     :: atomic { !isThere -> skip }
     fi
  :: atomic { !isWatched -> skip }
  fi
}

inline put(event) {
#ifdef MUTATION_PENDING_AFTER_ENQUEUE
  atomic { mailbox!event; accepted = accepted | event };
  pending++
#else
  atomic { pending++ /* P1 */; accepted = accepted | event };
  mailbox!event
#endif
}

inline drain(id) {
  atomic {
    !idleLock ->
    needed = WITH_FOLLOWUPS(accepted);
    waiting = waiting | id;
#ifndef MUTATION_WATCHED_AFTER_LOOK
    watched = true                                     /* K0 */
#endif
  };
#ifdef MUTATION_WATCHED_AFTER_LOOK
  if
  :: pending == 0 -> watched = true; check()
  :: else -> watched = true
  fi;
#else
  check();
#endif
  atomic { resumed & id -> assert((needed & ~handled) == 0); needed = 0 }
}

#define LOCALS byte r, noted; bool isThere, isWatched

proctype Poster() {
  LOCALS;
  atomic { enter(0, INLINE) };
#ifdef TWO_DRAINS
  leave(0, INLINE);
  atomic { enter(0, NESTED) };
  leave(0, NESTED)
#else
#ifndef MUTATION_PENDING_AFTER_LEAVING
  atomic { pending++ /* N1 */; accepted = accepted | NESTED };
#endif
  put(QUEUED);
  leave(0, INLINE);
#ifdef MUTATION_PENDING_AFTER_LEAVING
  atomic { pending++; accepted = accepted | NESTED };
#endif
#ifdef MUTATION_SETTLE_BEFORE_DELIVERY
  settled();
#endif
  atomic { enter(0, 0) };
  leave(0, NESTED);
#ifndef MUTATION_SETTLE_BEFORE_DELIVERY
  settled()                                            /* N2 */
#endif
#endif
}

proctype OtherPoster() {
  LOCALS;
  atomic { enter(1, 0) };
  put(POSTED);
  leave(1, 0)
#ifdef TWO_DRAINS
  ;
  byte needed;
  drain(1)
#endif
}

proctype Mailbox() {
  LOCALS;
  byte event;
end:
  do
  :: mailbox?event ->
#ifdef MUTATION_SETTLE_BEFORE_DELIVERY
     settled();
#endif
     atomic { enter(2, 0) };
     leave(2, event);
     event = 0;
#ifndef MUTATION_SETTLE_BEFORE_DELIVERY
     settled()
#endif
  od
}

proctype Drainer() {
  LOCALS;
  byte needed;
  drain(2)
}

init {
  atomic {
    run Poster();
    run OtherPoster();
    run Mailbox();
    run Drainer()
  }
}
