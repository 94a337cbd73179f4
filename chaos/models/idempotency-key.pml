/*
 * The lease of an Idempotency-Key: src/http/writes/, migrations/functions/ and docs/adr/0016.
 *
 * Clients send the same write with the same key. Each repeats it until it gets a response that the key keeps. Meanwhile servers die and
 * freeze, renewals fail, responses are lost, and PostgreSQL crashes. The promises:
 *
 * - The write takes effect at most once, and exactly once unless the kept response is an error.
 * - All clients get the same response.
 * - A request whose claim was taken over commits nothing.
 * - Every client gets its response once the faults end.
 *
 * Left out: a different write with the same key, and the end of the 24 hours.
 *
 * A comment `Step x` names a step that the code marks with `Model idempotency-key: x`; test/models.test.ts compares them.
 *
 * Broken variants:
 * 1. trusts a claim made before the fetch, in the transaction after it
 * 2. takes over a key that has a response
 * 3. frees a key that has a response
 * 4. claims a key without a lease
 */
#ifndef BROKEN
#define BROKEN 0
#endif
#define CLIENTS 3
#define FAULTS 2

mtype = { unused, claimed, kept }

/* The key's committed row. Responses are numbered as they are stored, from 1. 0 is none. */
mtype state = unused
byte token
bool is_lease_over
byte response

/* Locks of open transactions: on the agency's row and on the key's row. */
bool is_agency_locked
bool is_key_locked
/* Clients that wait for the agency's lock. PostgreSQL grants it in order of arrival. */
chan queue = [CLIENTS] of { byte }

/* The token of each client's running request, or 0. */
byte running[CLIENTS]
#define is_running(of) (of == running[0] || of == running[1] || of == running[2])

byte effects
byte stored
/* How many clients have their response, and the response of the first. */
byte served
byte first

/* How many faults are left. */
byte faults = FAULTS
inline fault() { faults > 0; faults-- }

/* Whether `claim_key` claims the key for the request with the token `own`. */
#if BROKEN == 2
#define can_claim (state == unused || token == own || is_lease_over)
#else
#define can_claim (state == unused || (state == claimed && (token == own || is_lease_over)))
#endif

inline claim_row() { state = claimed; token = own; is_lease_over = false; response = 0 }

/* Responses differ, so that a second one would be noticed. */
inline store_response() { stored++; state = kept; token = own; response = stored; found = stored }

inline unlock() { is_key_locked = false; is_agency_locked = false }

active [CLIENTS] proctype Client() {
	byte own; /* The request's token. */
	byte found; /* The response in the row that the last claim found. */
	bool is_claimed; /* The claim was committed alone, before a fetch. */
	bool is_fetched;

send:
	/* A new token, like a uuid: neither the row nor a running request has it. */
	atomic {
		running[_pid] = 0;
		own = 1;
		do
		:: own == token || is_running(own) -> own++
		:: else -> break
		od;
		running[_pid] = own;
		found = 0;
		is_claimed = false;
		is_fetched = false
	}
	if
	/* Step create at once: one statement, if there is nothing to fetch and the agency is not busy. */
	:: atomic {
		!is_agency_locked && !is_key_locked && state == unused -> effects++; store_response();
		assert(effects == 1);
		goto receive
	}
	:: skip
	fi;

begin:
	/* Step lock: a transaction begins. */
	queue ! _pid;
	atomic { !is_agency_locked && queue ? [eval(_pid)] -> queue ? _; is_agency_locked = true }
	/* Step claim: in the transaction, which keeps the row locked until it ends. */
	atomic {
		!is_key_locked ->
		if
#if BROKEN == 1
		:: is_claimed -> is_key_locked = true
#endif
		:: can_claim -> is_key_locked = true
		:: else -> found = response; unlock(); goto replay
		fi
	}
	if
	/* Step roll back: something has to be fetched first. */
	:: !is_fetched -> atomic { unlock(); goto fetch }
	/* Step commit: the effect together with its response. */
	:: atomic {
		assert(state == unused || token == own || is_lease_over); /* No other request has a claim. */
		effects++;
		store_response();
		unlock();
		assert(effects == 1);
		if
		:: goto receive
		:: fault() -> goto fail /* The server does not learn that it has committed. */
		fi
	}
	:: atomic { unlock(); goto refuse } /* An error that is kept. */
	:: atomic { fault(); unlock(); goto fail }
	:: atomic { fault(); unlock(); goto send } /* The server dies. */
	fi;

fetch:
	/* Step claim alone: the claim commits before the fetch. */
	atomic {
		!is_key_locked ->
		if
		:: can_claim -> claim_row(); is_claimed = true
		:: else -> found = response; goto replay
		fi
	}
	do
	/* Step renew: only the renewals that change something. */
	:: atomic { !is_key_locked && can_claim && (state == unused || token != own || is_lease_over) -> claim_row() }
	:: is_fetched = true; goto begin
	:: atomic { fault(); goto fail }
	:: atomic { fault(); goto send } /* The server dies. */
	od;

refuse:
	/* Step keep response: an error that every retry must get too. */
	atomic {
		!is_key_locked ->
		if
		:: can_claim -> store_response(); assert(effects == 0); goto receive
		:: else -> found = response; goto replay
		fi
	}

fail:
	/* An error that is not kept. If another request has stored a response, it replaces an error below 500. */
	if
	:: atomic {
		!is_claimed && !is_key_locked ->
		if
		:: can_claim -> claim_row(); is_claimed = true
		:: else -> found = response; goto replay
		fi
	}
	:: skip
	fi;
	/* Step free: the key, for the retry. */
	atomic {
		!is_key_locked ->
		if
#if BROKEN == 3
		:: is_claimed && token == own -> state = unused
#else
		:: is_claimed && token == own && state == claimed -> state = unused
#endif
		:: else
		fi;
		goto send
	}

replay:
	/* Step replay: the response, or 409 if there is none. */
	if
	:: found == 0 -> goto send
	:: else
	fi;

receive:
	atomic {
		if
		:: fault() -> goto send /* The response is lost. */
		:: assert(served == 0 || found == first); first = found; served++; running[_pid] = 0
		fi
	}
}

active proctype Surroundings() {
end:
	do
	/* Step lease ends: always after a death. Otherwise only if the server freezes or its renewals fail. */
#if BROKEN != 4
	:: atomic { state == claimed && !is_lease_over && !is_running(token) -> is_lease_over = true }
	:: atomic { faults > 0 && state == claimed && !is_lease_over -> faults--; is_lease_over = true }
#endif
#if BROKEN == 2
	:: atomic { state == kept && !is_lease_over -> is_lease_over = true }
#endif
	/* Step lose claim: PostgreSQL crashes. Claims alone commit asynchronously. */
	:: atomic { faults > 0 && state == claimed && !is_key_locked -> faults--; state = unused }
	od
}

ltl every_client_gets_its_response { <> (served == CLIENTS) }
