/* Catching up: an inline subscriber gets the newest event and then all later ones, each once and those of one poster in order,
   although one thread delivers the first of them and the posters the others. When cancel() has returned, the handler
   does not run for an event of the cancelling thread. The list of what is to be caught up is bounded.

   Two posters, each of which cancels the subscription after its last post or never, and then posts once more. One thread
   subscribes: in a handler, so that others have the subscription before it has caught up. */

#define RECORDS 3
#include "Records.h"

#ifndef BOUND
#define BOUND 1
#endif
#define SUBSCRIBING 2          /* the record of the thread that subscribes; 0 and 1 are those of the posters */
#define NOBODY 3

bool isLive = true;

/* Under the channel's lock. */
byte posted;                   /* events are numbered in the order in which the lock saw them */
byte newest;                   /* the replay: an event, and who posted it */
byte newestPoster = NOBODY;
bool isCatchingUp, hasJoined, isClosed;
chan list = [6] of { byte, byte };
byte current = NOBODY;         /* who posted the event that is being caught up */
byte waitingPosters;           /* those who found the list closed, as bits */
byte openGates;

/* Under the registry's lock. */
bool registryLock;
byte waitsForCall, gates;

/* What the subscriber has seen, for the assertions. */
byte called;                   /* events as bits */
byte lastOf[2];                /* the last event of each poster */
byte first = 255;              /* the first event that is due */
bool isFinal[2];               /* cancel() has returned to the poster */
bool userLock;

inline call(event, poster) {
  atomic {
    assert(!isFinal[poster]);
    assert(!(called & (1 << event)));          /* once */
    assert(event > lastOf[poster]);            /* in order */
    called = called | (1 << event);
    lastOf[poster] = event
  };
#ifdef MUTATION_POST_HOLDING_A_LOCK
  atomic { !userLock -> skip };                /* the handler takes a lock of the user */
#endif
  assert(!isFinal[poster])
}

/* Opens the gates of the posters that wait; with the channel's lock. */
inline openAll() {
  openGates = openGates | waitingPosters;
  waitingPosters = 0
}

/* Behind it, the turns of this thread: an event, and whether it has to wait until the subscriber has caught up. */
inline append(me) {
  posted++;
  newest = posted;
  newestPoster = me;
  if
  :: isCatchingUp ->
#ifdef MUTATION_CLOSED_REOPENS
     isClosed = len(list) >= BOUND;
#else
     isClosed = isClosed || len(list) >= BOUND;
#endif
     if
     :: isClosed -> turns!posted, true         /* A3 */
     :: else -> list!posted, me
     fi;
     assert(len(list) <= BOUND)
  :: else
  fi
}

inline post(me) {
#ifdef MUTATION_POST_HOLDING_A_LOCK
  if
  :: atomic { me == 1 && !userLock -> userLock = true }
  :: atomic { me == 0 -> skip }
  fi;
#endif
#ifdef MUTATION_LISTS_AFTER_UNLOCKING
  atomic { append(me); event = posted };
  atomic { if :: hasJoined -> turns!event, false :: else fi; event = 0 };
#else
  atomic { append(me) /* A1 */; if :: hasJoined -> turns!posted, false /* A2 */ :: else fi };
#endif
#ifdef MUTATION_POST_HOLDING_A_LOCK
  if
  :: me == 1 -> takeTurns(me)
  :: else
  fi;
  atomic { userLock = userLock && me == 0 }
#endif
}

/* Delivers what this thread has posted: at once, or after the handler in which it has posted. */
inline takeTurns(me) {
  do
  :: atomic { nempty(turns) -> turns?event, mustWait };
#ifndef MUTATION_TURN_DOES_NOT_WAIT
     if
#ifdef MUTATION_GATE_WITHOUT_A_LOOK
     :: atomic { mustWait -> waitingPosters = waitingPosters | (1 << me) };
#else
     :: atomic { mustWait && !isCatchingUp -> skip }
     :: atomic { mustWait && isCatchingUp -> waitingPosters = waitingPosters | (1 << me) /* B1 */ };
#endif
        atomic { openGates & (1 << me) -> openGates = openGates & ~(1 << me) }
     :: atomic { !mustWait -> skip }
     fi;
#endif
     position[me] = TICKET(0);                 /* D5 */
     if
     :: isLive /* D6 */ -> call(event, me)
     :: else
     fi;
     position[me] = OUTSIDE;                   /* D8: no thread waits for this call here */
     atomic { event = 0; mustWait = false }
  :: atomic { empty(turns) -> break }
  od
}

inline cancel(me) {
  atomic { isWinner = isLive; isLive = false };        /* C1 */
#ifdef MUTATION_LOSER_RETURNS
  if
  :: atomic { !isWinner -> skip }
  :: atomic { isWinner ->
#else
  atomic {
#endif
    if
    :: isWinner ->
       isCatchingUp = false;                           /* U4 */
       hasJoined = false;
#ifndef MUTATION_CANCEL_OPENS_NO_GATE
       openAll()
#endif
    :: else
    fi;
    isMine = current == me                             /* U5 */
#ifdef MUTATION_LOSER_RETURNS
  }
  fi;
#else
  };
#endif
#ifdef MUTATION_NO_WAIT_FOR_OWN_EVENT
  isMine = false;
#endif
  if
  :: atomic { isMine && position[SUBSCRIBING] == TICKET(0) /* V1 */ -> skip };
     atomic { !registryLock -> registryLock = true; awaited[SUBSCRIBING] = CALL /* V2 */ };
     atomic {
       isMine = position[SUBSCRIBING] == TICKET(0)     /* V3 */;
       waitsForCall = waitsForCall | (isMine -> 1 << me : 0);
       registryLock = false
     };
     if
     :: atomic { isMine && (gates & (1 << me)) -> isMine = false }
     :: atomic { !isMine -> skip }
     fi
  :: atomic { !(isMine && position[SUBSCRIBING] == TICKET(0)) -> isMine = false }
  fi;
  atomic { isFinal[me] = true; isWinner = false }
}

proctype Poster(byte me) {
  byte event;
  bool isMine, isWinner, mustWait;
  chan turns = [2] of { byte, bool };
  post(me);
  if
  :: me == 0 ->
     if
     :: takeTurns(me)
     :: true                                   /* both posts are made inside one handler */
     fi;
     post(me)
  :: else
  fi;
  takeTurns(me);
  if
  :: atomic { first != 255 -> skip }; cancel(me); post(me); takeTurns(me)
  :: true
  fi
}

proctype Subscribing() {
  byte event, poster;
#ifdef MUTATION_REPLAY_BEFORE_REGISTERING
  atomic { event = newest; poster = newestPoster };
  atomic {
    isCatchingUp = true;
    first = (event == 0 -> posted + 1 : event);
    if
    :: event != 0 -> list!event, poster
    :: else
    fi
  };
#else
  atomic {
    /* U1: without a replay it joins at once */
    if
    :: newest != 0 -> first = newest; isCatchingUp = true; list!newest, newestPoster
    :: else -> first = 1; hasJoined = true
    fi
  };
#endif
  do
  :: atomic { !isCatchingUp -> break }         /* cancelled, or without a replay */
  :: atomic { isCatchingUp && isLive && nempty(list) -> list?event, poster;
#ifndef MUTATION_POSTER_NOTED_LATER
       current = poster                        /* U2 */
#endif
     };
#ifdef MUTATION_LIVE_BEFORE_TICKET
     if
     :: isLive -> position[SUBSCRIBING] = TICKET(0); call(event, poster)
     :: else
     fi;
#else
     position[SUBSCRIBING] = TICKET(0);        /* D5 */
     if
     :: isLive /* D6 */ ->
#ifdef MUTATION_POSTER_NOTED_LATER
        current = poster;
#endif
        call(event, poster)
     :: else
     fi;
#endif
     position[SUBSCRIBING] = OUTSIDE;          /* D8 */
     if
     :: awaited[SUBSCRIBING] /* D9 */ ->
        atomic { !registryLock -> gates = gates | waitsForCall; waitsForCall = 0; awaited[SUBSCRIBING] = 0 /* W1, W2 */ }
     :: else
     fi;
     atomic { event = 0; poster = 0 }
#ifdef MUTATION_JOIN_IN_ANOTHER_STEP
  :: atomic { isCatchingUp && empty(list) -> skip };
     atomic { isCatchingUp && isLive -> isCatchingUp = false; hasJoined = true; openAll(); break } unless { !isLive };
     break
#else
  :: atomic { isCatchingUp && isLive && empty(list) -> isCatchingUp = false; hasJoined = true /* U3 */; openAll() /* B2 */; break }
#endif
  :: atomic { isCatchingUp && !isLive -> break }
  od
}

init {
  atomic { run Poster(0); run Poster(1); run Subscribing() };
  _nr_pr == 1 ->
  /* Nothing is missing, unless it was cancelled. */
  assert(!isLive || called == (2 << posted) - (1 << first));
  assert(waitingPosters == 0)
}
