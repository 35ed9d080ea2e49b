/* cancelAndWait(): when it has returned, no other thread is in the handler, and none will be. cancel(): the posts that the
   cancelling thread makes later do not reach the handler. One of several cancels wins.

   Two posters deliver to two subscribers; in the first post of one of them the first handler cancels its own subscription. One
   thread cancels the first subscriber and waits; the second handler waits for that on one of the posters. Another one cancels it without waiting, and then posts; its record is linked
   then. It also waits once until the first poster is outside, as a retire list or a drain does, so that both kinds of
   waiters meet in one record. */

#define RECORDS 3
#include "Records.h"

#define SUBSCRIBERS 2

bool isLive[SUBSCRIBERS];
byte released;            /* how often the handler of subscriber 0 was released */
byte running;             /* the records whose threads run it, as bits */
bool isFinal;             /* cancelAndWait() has returned */
bool isThirdLinked;

/* Under the registry's lock. */
bool registryLock;
bool waitsForCall[RECORDS];
bool waitsForLeave[RECORDS];
bool callGate, leaveGate;

/* The caller has stored a new position in its record. */
inline wake() {
  atomic {
    !registryLock ->
    if
    :: waitsForCall[me] && position[me] != TICKET(0) -> waitsForCall[me] = false; callGate = true      /* W1 */
    :: else
    fi;
    if
    :: waitsForLeave[me] && position[me] == OUTSIDE -> waitsForLeave[me] = false; leaveGate = true
    :: else
    fi;
#ifdef MUTATION_AWAITED_CLEARED
    awaited[me] = 0
#else
    awaited[me] = (waitsForCall[me] -> CALL : 0) | (waitsForLeave[me] -> LEAVE : 0)                    /* W2 */
#endif
  }
}

inline cancel() {
#ifdef MUTATION_NO_EXCHANGE
  isWinner = isLive[0];
  isLive[0] = false;
#else
  atomic { isWinner = isLive[0]; isLive[0] = false };    /* C1 */
#endif
  atomic { released = released + isWinner; assert(released <= 1); isWinner = false }
}

inline waitForCalls() {
  isThirdKnown = isThirdLinked;                          /* V0 */
  w = 0;
  do
  :: atomic { w < RECORDS && !((w < 2 || isThirdKnown) && position[w] == TICKET(0)) -> w++ }
  :: atomic { w < RECORDS && (w < 2 || isThirdKnown) && position[w] == TICKET(0) /* V1 */ -> skip };
#ifdef MUTATION_RECHECK_BEFORE_AWAITED
     atomic { !registryLock -> registryLock = true; isThere = position[w] == TICKET(0) };
     atomic { awaited[w] = awaited[w] | CALL; waitsForCall[w] = isThere; registryLock = false };
#else
     atomic { !registryLock -> registryLock = true; awaited[w] = awaited[w] | CALL /* V2 */ };
#ifdef MUTATION_NO_RECHECK
     atomic { isThere = true; waitsForCall[w] = true; registryLock = false };
#else
     atomic { isThere = position[w] == TICKET(0) /* V3 */; waitsForCall[w] = isThere; registryLock = false };
#endif
#endif
     if
     :: atomic { isThere && callGate -> isThere = false; callGate = false }
     :: atomic { !isThere -> skip }
     fi;
     w++
  :: atomic { w == RECORDS -> w = 0; isThirdKnown = false; break }
  od
}

inline waitUntilOutside() {
  atomic { !registryLock -> registryLock = true; awaited[0] = awaited[0] | LEAVE };
  atomic { isThere = position[0] != OUTSIDE; waitsForLeave[0] = isThere; registryLock = false };
  if
  :: atomic { isThere && leaveGate -> isThere = false; leaveGate = false }
  :: atomic { !isThere -> skip }
  fi
}

inline move(to) {
#ifdef MUTATION_LOOK_BEFORE_MOVING
  isCalled = awaited[me] & (to == OUTSIDE -> CALL | LEAVE : CALL);
  position[me] = to;
  if
  :: atomic { isCalled -> isCalled = false }; wake()
  :: atomic { !isCalled -> skip }
  fi
#else
  position[me] = to;                                     /* D5, D8 */
  if
#ifdef MUTATION_LOOK_WHEN_LEAVING_ONLY
  :: atomic { to == OUTSIDE && awaited[me] != 0 -> skip }; wake()
  :: atomic { to != OUTSIDE || awaited[me] == 0 -> skip }
#else
  :: atomic { awaited[me] & (to == OUTSIDE -> CALL | LEAVE : CALL) /* D9 */ -> skip }; wake()
  :: atomic { !(awaited[me] & (to == OUTSIDE -> CALL | LEAVE : CALL)) -> skip }
#endif
  fi
#endif
}

/* One post. */
inline post() {
  position[me] = CHANNEL;                                /* D2 */
#ifdef MUTATION_LIVE_BEFORE_TICKET
  isCalled = isLive[0];
  move(TICKET(0));
#else
  move(TICKET(0));
  isCalled = isLive[0];                                  /* D6 */
#endif
  if
  :: atomic { isCalled ->
       assert(!isFinal && !hasCancelled);
       isCalled = false;
       running = running | (1 << me)                     /* D7 */
     };
     if
     :: atomic { me == 0 && posts == 0 -> skip }; cancel()
     :: atomic { true -> skip }
     fi;
     atomic { assert(!isFinal); running = running & ~(1 << me) }
  :: atomic { !isCalled -> skip }
  fi;
  move(TICKET(1));
  if
  :: atomic { me == 1 && isFinal -> skip }               /* this handler waits for what follows cancelAndWait() */
  :: atomic { me != 1 -> skip }
  fi;
  move(OUTSIDE)
}

#define LOCALS byte me = 3, posts; bool isThere, isWinner, isCalled, hasCancelled

proctype Poster(byte id) {
  LOCALS;
  me = id;
  do
  :: atomic { posts < 2 - id -> skip }; post(); posts++
  :: atomic { posts == 2 - id -> break }
  od
}

proctype CancelsAndWaits() {
  LOCALS;
  byte w;
  bool isThirdKnown;
#ifdef MUTATION_SCAN_BEFORE_DEAD
  waitForCalls();
  cancel();
#else
  cancel();
  waitForCalls();
#endif
  atomic { assert(running == 0); isFinal = true }
}

proctype CancelsAndPosts() {
  LOCALS;
  cancel();
  waitUntilOutside();
  atomic { me = 2; hasCancelled = true; isThirdLinked = true /* D0 */ };
  post()
}

init {
  atomic {
    isLive[0] = true;
    isLive[1] = true;
    run Poster(0);
    run Poster(1);
    run CancelsAndWaits();
    run CancelsAndPosts()
  };
  _nr_pr == 1 ->
  assert(released == 1)
}
