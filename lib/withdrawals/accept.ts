import { createHmac } from 'node:crypto';
import { secondMs, toTimestamp } from '../kernel/clock.ts';
import { HeraldError, invalidField } from '../kernel/errors.ts';
import type { PlatformApp } from '../platforms/contract/tools.ts';
import { readSignedRequest, type SignedRequest } from '../platforms/shared/meta/signed-request.ts';
import type { Table } from '../table/table.ts';
import type { MetaPlatform, WithdrawalRequest } from './schemas.ts';
import { putWithdrawal } from './store.ts';

export interface AcceptPorts {
  readonly table: Table;
  readonly app: Pick<PlatformApp, 'clientSecret' | 'metaAppSecret'>;
  /** Epoch milliseconds. */
  readonly now: number;
}

/**
 * Accepts a person's request at the platform. One write makes it durable; the sweep does the work. A repeated request gets the
 * same code and changes nothing, even after years: it covers only accounts that were connected by the time at which Meta signed
 * it.
 *
 * @param signedRequest the parameter `signed_request`, as received
 * @returns the confirmation code: letters and digits, as Meta requires, and impossible to guess
 * @throws HeraldError `unauthorized` if the app's secrets did not sign it, `invalid` if it names nobody
 */
export async function acceptWithdrawal(
  { table, app, now }: AcceptPorts,
  platform: MetaPlatform,
  request: WithdrawalRequest,
  signedRequest: string,
): Promise<string> {
  const secrets = [app.clientSecret, ...(app.metaAppSecret === undefined ? [] : [app.metaAppSecret])];
  const signed = readSignedRequest(signedRequest, secrets);
  if (signed === 'forged') {
    throw new HeraldError('signature_wrong', 'signed_request: the signature is wrong or missing');
  }
  if (signed === 'unreadable') throw invalidField('signed_request', 'it names no user', 'field_format');
  const code = codeOf(app.clientSecret, platform, request, signed);
  const connectedBy = toTimestamp(lastConnectionMs(signed, now));
  await putWithdrawal(table, code, { platform, request, userId: signed.userId, connectedBy }, now);
  return code;
}

/**
 * Returns 160 bits of an HMAC as the code: the same request always has the same code, and only the holder of the secret can
 * compute it.
 */
function codeOf(
  secret: string,
  platform: MetaPlatform,
  request: WithdrawalRequest,
  { userId, issuedAtMs = null }: { readonly userId: string; readonly issuedAtMs?: number | null },
): string {
  const parts = JSON.stringify(['withdrawal', platform, request, userId, issuedAtMs]);
  return createHmac('sha256', secret).update(parts, 'utf8').digest('hex').slice(0, 40);
}

/** Returns the end of the second in which Meta signed the request, but not after now: Meta's clock may be ahead. */
function lastConnectionMs({ issuedAtMs }: SignedRequest, now: number): number {
  return issuedAtMs === undefined ? now : Math.min(now, issuedAtMs + secondMs - 1);
}
