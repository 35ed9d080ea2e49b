/* Reclamation: nothing is used after its release, and all that was retired is released once its readers have left.

   Two posters deliver without a lock; the first posts POSTS times. One thread cancels the first subscriber, another one
   subscribes a second subscriber and cancels it.

   With STEADY, the posters go on for ever, there is no second subscriber, and the property is that what was retired is released
   nevertheless. It is checked under weak fairness: no thread is kept from running for ever. */

#define RECORDS 2
#include "Records.h"

#ifndef POSTS
#define POSTS 2
#endif

/* Subscribers 0 and 1. What is retired has a bit: their handlers, then the lists. */
#define NOBODY 2
#define LISTS 5
#define HANDLER(s) (1 << (s))
#define LIST(l)    (4 << (l))
byte releasedObjects;
#define IS_ALIVE(object) ((releasedObjects & (object)) == 0)

/* Subscribers by place. Nothing moves within a list, and `count` says how many of them count. */
typedef List { byte slots[2]; byte count }
List lists[LISTS];
byte madeLists = 1;

bool isLive[2];
byte inlineList;                /* the published pointer */
bool isSecondLinked;            /* the record of the second poster may be unknown to a walk: it is made at its first post */

/* Under the channel's lock. */
bool channelLock;
byte fresh, settling, noted, notedEntries[RECORDS];

/* Under the registry's lock. */
bool registryLock;
bool waitsForLeave[RECORDS];    /* a waiter that releases what was retired */

#define IS_KNOWN(r) ((r) == 0 || isSecondKnown)

/* With the lock that is given back in the same step. */
inline release(objects) {
  assert(IS_ALIVE(objects));    /* nothing is released twice */
  releasedObjects = releasedObjects | objects;
  objects = 0
}

/* --- the retire list; the caller holds the channel's lock --- */

/* Another thread may see the entry that it could not see before. */
#define MAY_SEE(r) \
  if \
  :: true \
  :: unseen[r] -> SEE_ENTRIES(r) \
  fi

/* Notes those that are in the channel, and has each of them collect when it leaves. */
inline startBatch() {
  atomic { settling = fresh; fresh = 0; isSecondKnown = isSecondLinked /* R1 */; r = 0 };
  do
  :: atomic { r < RECORDS && (!IS_KNOWN(r) || position[r] == OUTSIDE) -> r++ }
  :: atomic { r < RECORDS && IS_KNOWN(r) && position[r] != OUTSIDE /* R2 */ -> skip };
     atomic { MAY_SEE(r); notedEntries[r] = entries[r] /* R3 */ };
#ifdef MUTATION_RECHECK_BEFORE_AWAITED
     atomic { !registryLock -> registryLock = true; isThere = position[r] != OUTSIDE && entries[r] == notedEntries[r] };
     atomic {
       awaited[r] = awaited[r] | LEAVE;
#else
     atomic { !registryLock -> registryLock = true; awaited[r] = awaited[r] | LEAVE /* V2 */ };
     atomic {
       MAY_SEE(r);
#ifdef MUTATION_NO_RECHECK
       isThere = true;
#else
       isThere = position[r] != OUTSIDE && entries[r] == notedEntries[r] /* V3 */;
#endif
#endif
       if
       :: isThere -> waitsForLeave[r] = true; noted = noted | (1 << r)
       :: else
       fi;
       isThere = false;
       registryLock = false;
       r++
     }
  :: atomic { r == RECORDS -> r = 0; isSecondKnown = false; break }
  od
}

inline forgetThoseThatLeft() {
  do
  :: atomic { r < RECORDS && (noted & (1 << r)) ->
       MAY_SEE(r);
       /* Two loads, and still one step: a number seen later is the same or a greater one. */
       if
       :: position[r] == OUTSIDE /* R4 */ || entries[r] != notedEntries[r] /* R5 */ -> noted = noted & ~(1 << r)
       :: else
       fi;
       r++
     }
  :: atomic { r < RECORDS && !(noted & (1 << r)) -> r++ }
  :: atomic { r == RECORDS -> r = 0; break }
  od
}

/* Takes out what no thread can still be using. The last reader of the rest collects again. */
inline collect() {
  do
  :: atomic { settling == 0 && fresh == 0 -> break }
  :: settling != 0 || fresh != 0 ->
#ifdef MUTATION_NOTED_AGAIN
     /* Waits for those that are in the channel now. */
     atomic { fresh = fresh | settling; settling = 0; noted = 0 };
#endif
     if
     :: settling == 0 ->
        startBatch();
#if !defined(MUTATION_RECHECK_BEFORE_AWAITED) && !defined(MUTATION_NO_RECHECK)
        /* Not needed, as V3 has just looked. */
        forgetThoseThatLeft()
#endif
     :: settling != 0 -> forgetThoseThatLeft()
     fi;
     if
     :: atomic { noted == 0 -> released = released | settling; settling = 0 }
     :: atomic { noted != 0 -> break }
     fi
  od
}

/* The reaction of a waiter for LEAVE, with no lock held. */
inline releaseRetired() {
  atomic { !channelLock -> channelLock = true };
  collect();
  atomic { channelLock = false; release(released) }
}

inline retire() {
  atomic { isThere = fresh != 0 || settling != 0; isSecondKnown = isSecondLinked /* C3 */; r = 0 };
  do
  :: atomic { !isThere && r < RECORDS -> isThere = IS_KNOWN(r) && position[r] != OUTSIDE /* C4 */; r++ }
  :: atomic { isThere || r == RECORDS -> r = 0; isSecondKnown = false; break }
  od;
  if
  :: atomic { !isThere -> released = released | objects; objects = 0 }
  :: atomic { isThere ->
       isThere = false;
#ifdef MUTATION_ONE_STAGE
       if
       :: settling != 0 -> settling = settling | objects
       :: else -> fresh = fresh | objects
       fi;
#else
       fresh = fresh | objects;
#endif
       objects = 0
     };
     collect()
  fi
}

/* --- the registry --- */

/* Record `me` has moved on, and its thread looks for those that wait for it. What is touched here is guarded by the lock, or
   changed by this thread alone. */
inline wake() {
  atomic {
    !registryLock ->
    mustCollect = waitsForLeave[me] && position[me] == OUTSIDE;    /* W1 */
    waitsForLeave[me] = waitsForLeave[me] && !mustCollect;
    awaited[me] = (waitsForLeave[me] -> LEAVE : 0)    /* W2 */
  };
  if
  :: atomic { mustCollect -> mustCollect = false }; releaseRetired()
  :: atomic { !mustCollect -> skip }
  fi
}

/* --- subscribing and cancelling --- */

/* A list of those that are live, except `without`, and then `with`. Under the channel's lock. */
inline copyList(without, with) {
  made = madeLists;
  madeLists++;
  r = 0;
  do
  :: r < lists[inlineList].count ->
     if
     :: lists[inlineList].slots[r] != without && isLive[lists[inlineList].slots[r]] ->
        lists[made].slots[lists[made].count] = lists[inlineList].slots[r];
        lists[made].count++
     :: else
     fi;
     r++
  :: else -> break
  od;
  if
  :: with != NOBODY -> lists[made].slots[lists[made].count] = with; lists[made].count++
  :: else
  fi;
  r = 0
}

inline subscribe(s) {
  atomic { !channelLock -> channelLock = true; isLive[s] = true };
  if
  :: atomic { lists[inlineList].count < 2 ->                 /* there is room */
       lists[inlineList].slots[lists[inlineList].count] = s;
       lists[inlineList].count++                             /* S1 */ }
  :: atomic { true ->                                        /* or it is full */
       copyList(NOBODY, s);
       objects = LIST(inlineList);
       inlineList = made; made = 0                           /* S2 */ };
     retire()
  fi;
  atomic { channelLock = false; release(released) }
}

inline cancel(s) {
#ifdef MUTATION_WALK_BEFORE_DEAD
  isWinner = true;
#else
  atomic { isWinner = isLive[s]; isLive[s] = false };        /* C1 */
#endif
  if
  :: atomic { isWinner -> isWinner = false };
     atomic { !channelLock -> channelLock = true; objects = HANDLER(s) };
     if
     :: true                                                 /* it stays in the list, where it is skipped */
     :: atomic { true ->                                     /* or half of the list is dead: a shorter one */
          copyList(s, NOBODY);
          objects = objects | LIST(inlineList);
#ifndef MUTATION_WALK_BEFORE_PUBLISH
          inlineList = made; made = 0                        /* C2 */
#endif
        }
     fi;
     retire();
#ifdef MUTATION_WALK_BEFORE_DEAD
     isLive[s] = false;
#endif
#ifdef MUTATION_WALK_BEFORE_PUBLISH
     if
     :: made != 0 -> inlineList = made; made = 0
     :: else
     fi;
#endif
     atomic { channelLock = false; release(released) }
  :: atomic { !isWinner -> skip }
  fi
}

/* --- the threads --- */

#define LOCALS byte r, made, objects, released; bool isThere, isWinner, isSecondKnown

proctype Poster(byte me) {
  LOCALS;
  byte posts, list, place, count, s;
  bool mustCollect, isCalled;
#ifndef MUTATION_LINK_AFTER_LIST
  if
  :: me == 1 -> isSecondLinked = true                        /* D0 */
  :: else
  fi;
#endif
  do
#ifdef STEADY
  :: true;
#else
  :: atomic { posts < (me == 0 -> POSTS : 1) -> posts++ };
#endif
#ifdef MUTATION_LIST_BEFORE_POSITION
     list = inlineList;
     STORE_ENTRIES(me);
     STORE_POSITION(me, CHANNEL);
#else
#ifdef MUTATION_ENTRIES_AFTER_POSITION
     STORE_POSITION(me, CHANNEL);
     STORE_ENTRIES(me);
#else
     STORE_ENTRIES(me);                                      /* D1 */
     STORE_POSITION(me, CHANNEL);                            /* D2 */
#endif
     list = inlineList;                                      /* D3 */
#endif
#ifdef MUTATION_LINK_AFTER_LIST
     isSecondLinked = isSecondLinked || me == 1;
#endif
     atomic { assert(IS_ALIVE(LIST(list))); count = lists[list].count /* D4 */ };
     do
     :: atomic { place < count -> assert(IS_ALIVE(LIST(list))); s = lists[list].slots[place] };
        /* D5, the subscription ID instead of the channel, matters only to those that wait for a call: Wait.pml */
        if
        :: atomic { isLive[s] /* D6 */ -> isCalled = true };
           /* D7: the handler runs */
           atomic { assert(IS_ALIVE(HANDLER(s))); isCalled = false; place++; s = 0 }
        :: atomic { !isLive[s] -> place++; s = 0 }
        fi
     :: atomic { place == count -> assert(IS_ALIVE(LIST(list))); list = 0; place = 0; count = 0; break }
     od;
#ifdef MUTATION_LOOK_BEFORE_LEAVING
     isCalled = awaited[me] != 0;
     STORE_POSITION(me, OUTSIDE);
     if
     :: atomic { isCalled -> isCalled = false }; wake()
     :: atomic { !isCalled -> skip }
     fi
#else
     STORE_POSITION(me, OUTSIDE);                            /* D8 */
     if
     :: atomic { awaited[me] != 0 /* D9 */ -> skip }; wake()
     :: atomic { awaited[me] == 0 -> skip }
     fi
#endif
#ifndef STEADY
  :: atomic { posts == (me == 0 -> POSTS : 1) -> break }
#endif
  od
}

proctype Canceller() {
  LOCALS;
  cancel(0)
}

proctype ComesAndGoes() {
  LOCALS;
  subscribe(1);
  cancel(1)
}

init {
  atomic {
    isLive[0] = true;
    lists[0].count = 1;
    run Poster(0);
    run Poster(1);
    run Canceller()
#ifndef STEADY
    ; run ComesAndGoes()
#endif
  };
#ifndef STEADY
  /* All threads have ended: both handlers are released, and all lists but the published one. */
  _nr_pr == 1 ->
  assert(releasedObjects == 3 + (4 << madeLists) - 4 - LIST(inlineList))
#endif
}

#ifdef STEADY
ltl released_at_last { <> (!IS_ALIVE(HANDLER(0))) }
#endif
