/* Draining: drain() returns when all that was accepted before it has been handled, follow-up posts included, and it does
   return. Two scenarios, each with two posters, the thread of a mailbox, and a thread that drains at any time:

   FOLLOW_UPS   An event is posted inline; its handler posts one event that waits in the thread's own queue, and one that
                goes to the mailbox. Another thread posts to the mailbox.
   TWO_DRAINS   An event is posted inline. Another thread posts to the mailbox, and then drains as well. */

#define RECORDS 3
#include "Records.h"

/* Events, as bits. */
#define INLINE   1     /* posted by Poster */
#define NESTED   2     /* by the handler of INLINE */
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

/* Under the lock of those who wait. */
byte waiting;          /* bits of the drains that wait */
byte resumed;          /* their continuations were resumed */

/* Under the registry's lock. */
bool registryLock;
bool waitsForLeave[RECORDS];   /* a waiter whose action is check() */

chan mailbox = [2] of { byte };

/* Looks whether the bus is idle, and then resumes those who waited when it began to look. */
inline check() {
#ifdef MUTATION_RESUME_ALL
  limit = 255;
#else
  limit = waiting;                                     /* K1 */
#endif
  if
  :: atomic { pending != 0 /* K2 */ -> limit = 0 }
  :: atomic { pending == 0 -> r = 0 };
     do
     :: atomic { r < RECORDS && position[r] == OUTSIDE /* K3 */ -> r++ }
     :: atomic { r < RECORDS && position[r] != OUTSIDE -> noted = entries[r] };
#ifdef MUTATION_RECHECK_BEFORE_AWAITED
        atomic { !registryLock -> registryLock = true; isThere = position[r] != OUTSIDE && entries[r] == noted };
        atomic { awaited[r] = awaited[r] | LEAVE;
#else
        atomic { !registryLock -> registryLock = true; awaited[r] = awaited[r] | LEAVE /* K4 */ };
        atomic { isThere = position[r] != OUTSIDE /* K5 */ && entries[r] == noted;
#endif
          waitsForLeave[r] = waitsForLeave[r] || isThere;
          registryLock = false;
          noted = 0
        };
        if
        :: atomic { isThere -> break }
        :: atomic { !isThere -> r++ }
        fi
     :: atomic { r == RECORDS -> break }
     od;
     atomic { r = 0 };
     if
     :: atomic { isThere -> isThere = false; limit = 0 }
#ifdef MUTATION_NO_SECOND_LOOK
     :: atomic { !isThere -> skip };
        atomic {
#else
     :: atomic { !isThere && pending != 0 /* K6 */ -> limit = 0 }
#ifdef MUTATION_RESUME_ALL_LOOKING_UNDER_THE_LOCK
     :: atomic { !isThere && pending == 0 ->
          limit = 255;
#else
     :: atomic { !isThere && pending == 0 -> skip };
        atomic {
#endif
#endif
          resumed = resumed | (waiting & limit);
          waiting = waiting & ~limit;
          watched = waiting != 0;                      /* K7 */
          limit = 0
        }
     fi
  fi
}

/* Something that was pending has been handled. */
inline settled() {
#ifdef MUTATION_LOOK_BEFORE_SETTLING
  isWatched = watched;
  pending--;
#else
  pending--;                                           /* P2 */
  isWatched = watched;                                 /* P3 */
#endif
  if
  :: atomic { isWatched -> isWatched = false }; check()
  :: atomic { !isWatched -> skip }
  fi
}

inline enter(me, events) {
#ifndef WITHOUT_ENTRIES
  entries[me]++;                                       /* D1 */
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
    needed = WITH_FOLLOWUPS(accepted);
    waiting = waiting | id;
#ifndef MUTATION_WATCHED_AFTER_LOOK
    watched = true                                     /* K0 */
#endif
  };
  check();
#ifdef MUTATION_WATCHED_AFTER_LOOK
  watched = waiting != 0;
#endif
  atomic { resumed & id -> assert((needed & ~handled) == 0); needed = 0 }
}

#define LOCALS byte r, limit, noted; bool isThere, isWatched

proctype Poster() {
  LOCALS;
  atomic { enter(0, INLINE) };
#ifdef TWO_DRAINS
  leave(0, INLINE)
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
