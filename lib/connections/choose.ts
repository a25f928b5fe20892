import { connectedPart } from '../audit/record.ts';
import { toTimestamp } from '../kernel/clock.ts';
import { getWorkspace } from '../workspaces/store.ts';
import { answerAgain, claimCodeOf } from './answer-again.ts';
import { patienceMs } from './begin.ts';
import { openCandidates, sealCandidates } from './candidates.ts';
import { describeFailedChoice, errorCodeOf } from './errors.ts';
import { type ChoiceOutcome, type ConnectionOutcome, refuseVisit } from './outcome.ts';
import type { LoginPorts, Visit } from './ports.ts';
import { maxAccountsPerSave, saveAccounts } from './save-accounts.ts';
import type { Candidate, Connection } from './schemas.ts';
import { attemptId, confirmPart, findChoosing, holdForClaim, refuseConnection } from './store.ts';

/** Shows the accounts of the login and the workspace to which they would be connected. */
export function showChoice(ports: LoginPorts, visit: Visit): Promise<ConnectionOutcome> {
  return withChoice(ports, visit, async ({ choice }) => choice);
}

/**
 * Connects the chosen accounts and ends the attempt, in one transaction; or holds them until they are claimed. If the
 * platform fails, the user can choose again until the step expires. Idempotent: a form that is sent again connects nothing
 * and gets the same redirect.
 *
 * @param chosen the platform's ids of the accounts
 */
export async function confirmChoice(
  ports: LoginPorts,
  visit: Visit,
  chosen: readonly string[],
): Promise<ConnectionOutcome> {
  if (!visit.isSameOrigin) return { kind: 'unusable', why: 'foreign form' };
  const confirm = async (open: OpenChoice): Promise<ConnectionOutcome> => {
    const { choice, connection } = open;
    const accounts = choice.candidates.filter(({ platformAccountId }) => chosen.includes(platformAccountId));
    if (accounts.length === 0) return { ...choice, problem: 'Choose at least one account.' };
    if (accounts.length > maxAccountsPerSave) {
      return { ...choice, problem: `Choose at most ${maxAccountsPerSave} accounts at a time.` };
    }
    try {
      return connection.claim
        ? await hold(ports, visit, open, accounts)
        : await connect(ports, visit, open, accounts);
    } catch (error) {
      const code = errorCodeOf(error, ports, choice.platform);
      return { ...choice, problem: describeFailedChoice(code, choice.platform) };
    }
  };
  return withChoice(ports, visit, confirm, answerAgain);
}

/** Ends the attempt because the user declined on our page. */
export async function declineChoice(ports: LoginPorts, visit: Visit): Promise<ConnectionOutcome> {
  if (!visit.isSameOrigin) return { kind: 'unusable', why: 'foreign form' };
  return withChoice(ports, visit, async ({ choice: { platform, redirectUrl } }) => {
    const isRefused = await refuseConnection(ports.table, visit.state, 'choosing', 'access_denied');
    if (!isRefused) return alreadyEnded(ports, visit, refuseVisit);
    return { kind: 'refused', error: 'access_denied', platform, redirectUrl };
  });
}

interface OpenChoice {
  readonly choice: ChoiceOutcome;
  readonly connection: Connection;
}

async function connect(
  ports: LoginPorts,
  visit: Visit,
  { choice: { workspaceName }, connection }: OpenChoice,
  accounts: readonly Candidate[],
): Promise<ConnectionOutcome> {
  const { table, now } = ports;
  const { workspaceId, begunBy } = connection;
  // The person in the browser has no account with us: the one who began the attempt connects the accounts.
  const act = begunBy && { ...begunBy, verb: 'account.connect' as const, table, workspaceId, now };
  const saved = await saveAccounts(ports, connection, accounts, (ids) => ({
    ending: [confirmPart(table, { ...visit, now }, ids)],
    audit: act ? [connectedPart(act, attemptId(visit.state), ids)] : [],
  }));
  if (!saved) return alreadyEnded(ports, visit, answerAgain);
  return { kind: 'connected', accounts: saved, workspaceName, redirectUrl: connection.redirectUrl };
}

async function hold(
  ports: LoginPorts,
  visit: Visit,
  { connection: { workspaceId, redirectUrl } }: OpenChoice,
  accounts: readonly Candidate[],
): Promise<ConnectionOutcome> {
  const { state, browserSecret } = visit;
  const candidates = await sealCandidates(ports.vault, { workspaceId, state }, accounts);
  if (candidates === undefined || redirectUrl === undefined || browserSecret === undefined)
    throw new Error('the choice cannot be held');
  const code = claimCodeOf(state, browserSecret);
  const expiresAt = toTimestamp(ports.now + patienceMs);
  const isHeld = await holdForClaim(
    ports.table,
    { ...visit, now: ports.now },
    { candidates, code, expiresAt },
  );
  return isHeld ? { kind: 'chosen', code, state, redirectUrl } : alreadyEnded(ports, visit, answerAgain);
}

/** Returns the outcome of a form for an attempt that another request has ended in the meantime. */
function alreadyEnded(ports: LoginPorts, visit: Visit, refuse: Refuse): Promise<ConnectionOutcome> {
  return withChoice(ports, visit, async () => ({ kind: 'unusable', why: 'used' }), refuse);
}

type Refuse = typeof refuseVisit | typeof answerAgain;

async function withChoice(
  ports: LoginPorts,
  visit: Visit,
  then: (open: OpenChoice) => Promise<ConnectionOutcome>,
  refuse: Refuse = refuseVisit,
): Promise<ConnectionOutcome> {
  const { state } = visit;
  const found = await findChoosing(ports.table, { ...visit, now: ports.now });
  if (found.state !== 'usable') return refuse(ports, found, visit);
  const { connection } = found;
  const { workspaceId, platform, redirectUrl } = connection;
  const [{ name: workspaceName }, candidates] = await Promise.all([
    getWorkspace(ports.table, workspaceId),
    openCandidates(ports.vault, { workspaceId, state }, connection.candidates),
  ]);
  const choice = { kind: 'choose', platform, state, workspaceName, candidates, redirectUrl } as const;
  return then({ choice, connection });
}
