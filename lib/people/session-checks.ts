import type { Vault } from '../accounts/vault.ts';
import { type Clock, secondMs, toTimestamp } from '../kernel/clock.ts';
import { absent, anyOf, atMost, present } from '../table/condition.ts';
import { getItem, updateItem } from '../table/items.ts';
import { sessionGrantKey, sessionKey } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import { transact, updatePart } from '../table/transaction.ts';
import { plus, removed } from '../table/update.ts';
import type { FoundSession } from './find-session.ts';
import type { Issuer, Renewal } from './issuer.ts';
import { checkAgainMs, checkEveryMs, Session, SessionGrant } from './schemas.ts';
import { isCheckDue } from './session-age.ts';
import { endSession } from './sessions.ts';
import { personIdOf } from './sign-in.ts';

/** The dependencies of a check. */
export interface CheckPorts {
  readonly table: Table;
  readonly issuer: Pick<Issuer, 'renew'>;
  readonly vault: Vault;
  readonly now: Clock;
  readonly sleep: (milliseconds: number) => Promise<void>;
  /** Tells operators about a check that the issuer did not confirm. */
  readonly report: (message: string, error: unknown) => void;
}

/** Longer than the function that checks may run: no two workers use a refresh token at the same time. */
const leaseMs = 20 * secondMs;

/** The time for which a request waits for the check of another one. */
const patienceMs = 5 * secondMs;
const pollMs = 250;

const sealContext = (personId: string) => ({ person: personId, purpose: 'session' });

/** Seals the refresh token of a person's session. */
export const sealGrant = (vault: Vault, personId: string, refreshToken: string): Promise<string> =>
  vault.seal(refreshToken, sealContext(personId));

/**
 * Asks the issuer whether the person of a session may still sign in, if the last check is long enough ago. Ends the session if the
 * issuer does not honour its refresh token any more. An issuer that gives no answer ends nobody's session: it is asked again 20
 * seconds later.
 *
 * One worker asks at a time. If it dies between the answer and its write, its lease ends after 20 seconds, and the next request sends
 * the same token again: issuers that replace tokens take the old one for a while, because replies get lost. One that does not, or
 * after a longer time, makes the person sign in again.
 */
export async function checkSession(
  ports: CheckPorts,
  { session, digest }: Pick<FoundSession, 'session' | 'digest'>,
): Promise<void> {
  const giveUpMs = ports.now() + patienceMs;
  let seen: Session | undefined = session;
  while (seen && isCheckDue(seen, ports.now())) {
    const lease = await takeLease(ports, digest);
    if (lease.state === 'gone') return endSession(ports.table, { ...session, digest });
    if (lease.state === 'taken') return settle(ports, { session, digest }, lease.grant);
    if (ports.now() >= giveUpMs) return;
    await ports.sleep(pollMs);
    const item = await getItem(ports.table, sessionKey(digest));
    seen = item && Session.parse(item);
  }
}

type Lease = { readonly state: 'taken'; readonly grant: SessionGrant } | { readonly state: 'held' | 'gone' };

async function takeLease({ table, now }: CheckPorts, digest: string): Promise<Lease> {
  const at = now();
  const leaseUntil = toTimestamp(at + leaseMs);
  const { written, item } = await updateItem(table, sessionGrantKey(digest), {
    set: { leaseUntil },
    if: { ciphertext: present, leaseUntil: anyOf(absent, atMost(toTimestamp(at))) },
  });
  if (item === undefined) return { state: 'gone' };
  return written ? { state: 'taken', grant: SessionGrant.parse(item) } : { state: 'held' };
}

/** Asks the issuer, and stores its answer. The lease is held. */
async function settle(
  ports: CheckPorts,
  { session, digest }: Pick<FoundSession, 'session' | 'digest'>,
  { ciphertext, version }: SessionGrant,
): Promise<void> {
  const { table, vault, issuer, report } = ports;
  const { personId, id } = session;
  const refreshToken = await vault.open(ciphertext, sealContext(personId));
  // The key service is asked first: once the issuer has replaced the token, nothing but the write may fail.
  const seal = await vault.sealer(sealContext(personId));
  const answer = ofPerson(await issuer.renew(refreshToken), personId);
  if (answer.kind === 'ended') {
    report('a session ends: the issuer does not honour its refresh token any more', {
      personId,
      sessionId: id,
    });
    return endSession(table, { personId, id, digest });
  }
  if (answer.kind === 'unavailable') report('a session could not be checked at the issuer', answer.why);
  const dueMs = ports.now() + (answer.kind === 'unavailable' ? checkAgainMs : checkEveryMs);
  const renewed = answer.kind === 'confirmed' ? answer.refreshToken : undefined;
  await transact(table, [
    updatePart(table, sessionGrantKey(digest), {
      set: {
        version: plus(1),
        leaseUntil: removed,
        ...(renewed !== undefined && { ciphertext: seal(renewed) }),
      },
      if: { version },
    }),
    updatePart(table, sessionKey(digest), { set: { checkDueAt: toTimestamp(dueMs) }, if: { id } }),
  ]);
}

/** An answer about another person is none about this one: the token does not belong to the session. */
function ofPerson(answer: Renewal, personId: string): Renewal {
  if (answer.kind !== 'confirmed' || answer.person === undefined) return answer;
  const { issuer, subject } = answer.person;
  return personIdOf(issuer, subject) === personId ? answer : { kind: 'ended' };
}
