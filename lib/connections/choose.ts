import { openCandidates } from './candidates.ts';
import { type ConnectionOutcome, reasonOf, refusedAs } from './outcome.ts';
import type { BrowserPorts } from './ports.ts';
import { maxAccountsPerSave, saveAccounts } from './save-accounts.ts';
import { findChoice, useChoice } from './store.ts';

/**
 * Shows the accounts to choose from.
 *
 * @param platform from the URL's path
 * @param token the choice's secret, given only to this browser, which also protects the form against CSRF
 */
export function showChoice(ports: BrowserPorts, platform: string, token: string): Promise<ConnectionOutcome> {
  return withChoice(ports, platform, token, async (outcome) => outcome);
}

/**
 * Connects the chosen accounts and uses up the choice, in one transaction. If the platform fails, the user can choose
 * again until the choice expires.
 *
 * @param chosen the platform's ids of the accounts
 */
export function makeChoice(
  ports: BrowserPorts,
  platform: string,
  token: string,
  chosen: readonly string[],
): Promise<ConnectionOutcome> {
  return withChoice(ports, platform, token, async (outcome, workspaceId) => {
    const accounts = outcome.candidates.filter(({ platformAccountId }) => chosen.includes(platformAccountId));
    if (accounts.length === 0) return { ...outcome, problem: 'Choose at least one account.' };
    if (accounts.length > maxAccountsPerSave) {
      return { ...outcome, problem: `Choose at most ${maxAccountsPerSave} accounts at a time.` };
    }
    const origin = { workspaceId, platform: outcome.platform };
    const saved = await saveAccounts(ports, origin, accounts, useChoice(ports.table, token, ports.now));
    if (!saved) return refusedAs('used', outcome);
    return { kind: 'connected', accounts: saved, redirectUrl: outcome.redirectUrl };
  });
}

type OpenChoice = Extract<ConnectionOutcome, { kind: 'choose' }>;

async function withChoice(
  ports: BrowserPorts,
  platform: string,
  token: string,
  then: (outcome: OpenChoice, workspaceId: string) => Promise<ConnectionOutcome>,
): Promise<ConnectionOutcome> {
  const found = await findChoice(ports.table, token, { platform, now: ports.now });
  if (found.state !== 'open') return refusedAs(found.state, found.choice);
  const { workspaceId, redirectUrl, candidates: sealed, platform: known } = found.choice;
  if (sealed === undefined) return refusedAs('used', found.choice);
  try {
    const candidates = await openCandidates(ports.vault, { workspaceId, token }, sealed);
    return await then({ kind: 'choose', platform: known, token, candidates, redirectUrl }, workspaceId);
  } catch (error) {
    return { kind: 'refused', reason: reasonOf(error, ports), redirectUrl };
  }
}
