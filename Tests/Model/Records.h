/* What the models share: the hazard records of the threads that deliver.

   One step of a model is one access that others may see without a lock, together with what the thread does by itself before
   the next one. Taking a lock moves to the step after it and giving it back to the step before it, because those
   that take no lock cannot see either. So a locked region with one such access is one step, and one with two is two. */

/* Bits of `awaited`. */
#define CALL  1
#define LEAVE 2

/* Values of `position`: 0 outside, the channel, then the IDs of its subscribers. */
#define OUTSIDE   0
#define CHANNEL   1
#define TICKET(s) (CHANNEL + 1 + (s))

byte position[RECORDS];
byte entries[RECORDS];
byte awaited[RECORDS];

/* `entries` is written with a releasing store only. Others see it no later than the next sequentially consistent store of
   the same thread, and perhaps before. */
bool unseen[RECORDS];
#ifndef ENTRIES
#define ENTRIES 8
#endif
#ifdef WITHOUT_ENTRIES
#define STORE_ENTRIES(r) skip
#else
#define STORE_ENTRIES(r) unseen[r] = true
#endif
#define SEE_ENTRIES(r)   entries[r] = (entries[r] + unseen[r]) % ENTRIES; unseen[r] = false
#define STORE_POSITION(r, value) atomic { SEE_ENTRIES(r); position[r] = value }
