import type { AccountsContext } from '../accounts/read.ts';
import { connectedPart } from '../audit/record.ts';
import { HeraldError, invalidField } from '../kernel/errors.ts';
import { sha256 } from '../kernel/ids.ts';
import { PlatformError } from '../platforms/contract/errors.ts';
import { platformTitles } from '../platforms/contract/names.ts';
import { findAttempt, viewAttempt } from './attempts.ts';
import { openCandidates } from './candidates.ts';
import { errorCodeOf } from './errors.ts';
import type { BrowserPorts, SavingPorts } from './ports.ts';
import { saveAccounts } from './save-accounts.ts';
import type { AttemptView, Connection } from './schemas.ts';
import { attemptId, claimPart } from './store.ts';

/**
 * Connects the accounts that a user has confirmed in an attempt with `claim`. The user's browser returns the code, so the client
 * can check that the session that brings it is the one that began the attempt.
 *
 * Idempotent: claiming again with the same code returns the attempt and connects nothing.
 *
 * @throws HeraldError `not_found`, also for an attempt of another workspace; `invalid` (field `code`) for a wrong code;
 *   `conflict` if there is nothing to claim, or the platform refuses the account; `unavailable` if it does not answer
 */
export async function claimAttempt(
  context: AccountsContext & SavingPorts & Pick<BrowserPorts, 'report' | 'warn'>,
  state: string,
  code: string,
): Promise<AttemptView> {
  const connection = await findAttempt(context, state);
  requireClaimable(connection, code, context.now);
  if (connection.status === 'chosen') {
    const isSaved = await save(context, state, code, connection);
    // Another claim with this code came first, so the stored result is the answer to both.
    if (!isSaved) requireClaimable(await findAttempt(context, state), code, context.now);
  }
  return viewAttempt(context, state, await findAttempt(context, state));
}

function requireClaimable(
  { claim, claimDigest, status, expiresAt }: Connection,
  code: string,
  now: number,
): void {
  if (!claim) throw new HeraldError('claim_not_requested', 'attempt: it was begun without claim');
  if (claimDigest === undefined)
    throw new HeraldError('claim_not_confirmed', 'attempt: the user has not confirmed it; read its status');
  if (claimDigest !== sha256(code))
    throw invalidField('code', 'is not the code of this attempt', 'claim_code_wrong');
  if (status === 'chosen' && Date.parse(expiresAt) <= now)
    throw new HeraldError(
      'claim_code_expired',
      'attempt: the code has expired after ten minutes; connect again',
    );
}

/** @returns true if this call connected the accounts */
async function save(
  context: AccountsContext & SavingPorts & Pick<BrowserPorts, 'report' | 'warn'>,
  state: string,
  code: string,
  connection: Connection,
): Promise<boolean> {
  const { table, vault, workspaceId, now } = context;
  const { platform, candidates } = connection;
  const accounts = await openCandidates(vault, { workspaceId, state }, candidates);
  try {
    const saved = await saveAccounts(context, connection, accounts, (ids) => ({
      ending: [claimPart(table, { state, code, now }, ids)],
      audit: [
        connectedPart(context, { id: attemptId(state), name: platformTitles[connection.platform] }, ids),
      ],
    }));
    return saved !== undefined;
  } catch (error) {
    if (!(error instanceof PlatformError)) throw error;
    const title = platformTitles[platform];
    if (errorCodeOf(error, context, platform) === 'platform_unavailable')
      throw new HeraldError('platform_unavailable', `attempt: ${title} did not answer; claim it again`);
    throw new HeraldError('account_refused', `attempt: ${title} refused the account; connect again`);
  }
}
