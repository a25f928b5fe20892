import { createHmac } from 'node:crypto';
import { connectedPart } from '../audit/record.ts';
import { toTimestamp } from '../kernel/clock.ts';
import { sha256 } from '../kernel/ids.ts';
import { platformTitles } from '../platforms/contract/names.ts';
import { getWorkspace } from '../workspaces/store.ts';
import { patienceMs } from './begin.ts';
import { openCandidates, sealCandidates } from './candidates.ts';
import { describeFailedChoice, errorCodeOf } from './errors.ts';
import { lostAccounts } from './other-accounts.ts';
import { type ChoiceOutcome, type ConnectionOutcome, refuseVisit } from './outcome.ts';
import type { BrowserPorts, LoginPorts, Visit } from './ports.ts';
import { maxAccountsPerSave, saveAccounts } from './save-accounts.ts';
import type { Candidate, Connection } from './schemas.ts';
import {
  attemptId,
  confirmPart,
  type Found,
  findChoosing,
  holdForClaim,
  refuseConnection,
  type Unusable,
} from './store.ts';

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
  { choice: { workspace, lost }, connection }: OpenChoice,
  accounts: readonly Candidate[],
): Promise<ConnectionOutcome> {
  const { table, now } = ports;
  const { workspaceId, begunBy } = connection;
  // The person in the browser has no account with us: the one who began the attempt connects the accounts.
  const act = begunBy && { ...begunBy, verb: 'account.connect' as const, table, workspaceId, now };
  const saved = await saveAccounts(ports, connection, accounts, (ids) => ({
    ending: [confirmPart(table, { ...visit, now }, ids)],
    audit: act
      ? [connectedPart(act, { id: attemptId(visit.state), name: platformTitles[connection.platform] }, ids)]
      : [],
  }));
  if (!saved) return alreadyEnded(ports, visit, answerAgain);
  return { kind: 'connected', accounts: saved, lost, workspace, redirectUrl: connection.redirectUrl };
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
  const [{ id, name }, candidates] = await Promise.all([
    getWorkspace(ports.table, workspaceId),
    openCandidates(ports.vault, { workspaceId, state }, connection.candidates),
  ]);
  const lost = await lostAccounts(ports.table, connection, candidates);
  const choice = {
    kind: 'choose',
    platform,
    state,
    workspace: { id, name },
    candidates,
    lost,
    redirectUrl,
  } as const;
  return then({ choice, connection });
}

/**
 * Derives the one-time code of an attempt with `claim`, so that the browser gets the same code if it confirms again. Only that
 * browser has the secret, so nobody else can derive it.
 */
function claimCodeOf(state: string, browserSecret: string): string {
  return createHmac('sha256', browserSecret).update(`claim ${state}`, 'utf8').digest('base64url');
}

/**
 * Returns the outcome of a repeated confirmation: the attempt's own browser is redirected as it was the first time. People press
 * a button twice, and then their browser drops the first response.
 */
function answerAgain(
  ports: Pick<BrowserPorts, 'publicBaseUrl' | 'now'>,
  found: Extract<Found, { readonly state: Unusable }>,
  visit: Visit,
): ConnectionOutcome {
  const outcome = refuseVisit(ports, found, visit);
  const { connection } = found;
  // Only the attempt's own browser gets `completed`.
  const isOwn = outcome.kind === 'unusable' && outcome.why === 'completed';
  if (!isOwn || connection?.redirectUrl === undefined || visit.browserSecret === undefined) return outcome;
  const { redirectUrl, claim, claimDigest, accountIds = [], expiresAt } = connection;
  if (Date.parse(expiresAt) <= ports.now) return outcome;
  if (!claim) return { kind: 'confirmed before', redirectUrl, result: { connected: accountIds.join(',') } };
  const { state } = visit;
  const code = claimCodeOf(state, visit.browserSecret);
  // Codes of an earlier release were random.
  if (claimDigest !== sha256(code)) return outcome;
  return { kind: 'confirmed before', redirectUrl, result: { code, state } };
}
