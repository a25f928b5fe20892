import { createHmac } from 'node:crypto';
import { sha256 } from '../kernel/ids.ts';
import { type ConnectionOutcome, refuseVisit } from './outcome.ts';
import type { BrowserPorts, Visit } from './ports.ts';
import type { Found, Unusable } from './store.ts';

/**
 * Derives the one-time code of an attempt with `claim`, so that the browser gets the same code if it confirms again. Only that
 * browser has the secret, so nobody else can derive it.
 */
export function claimCodeOf(state: string, browserSecret: string): string {
  return createHmac('sha256', browserSecret).update(`claim ${state}`, 'utf8').digest('base64url');
}

/**
 * Returns the outcome of a repeated confirmation: the attempt's own browser is redirected as it was the first time. People press
 * a button twice, and then their browser drops the first response.
 */
export function answerAgain(
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
