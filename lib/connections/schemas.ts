import * as z from 'zod';
import { ActorReference } from '../access/actor.ts';
import { AccountView, ExternalId } from '../accounts/schemas.ts';
import { SealedTokens } from '../accounts/tokens/store.ts';
import { FreeForm, orNull, Timestamp } from '../api-contract/fields.ts';
import type { LifeCycle } from '../kernel/life-cycle.ts';
import { AccountKind, Platform } from '../platforms/contract/names.ts';
import { ConnectionError } from './errors.ts';
import { RedirectUrl } from './redirect-url.ts';

export const BeginConnectionBody = z
  .object({
    redirectUrl: RedirectUrl.optional(),
    externalId: orNull(
      ExternalId.optional().meta({
        description:
          "Your own id for the customer whose account this is. The attempt and the connected accounts show it. The account's last connection decides",
      }),
    ),
    claim: z.boolean().optional().meta({
      description:
        'If true, confirming connects nothing: `redirectUrl` gets a one-time `code`, and your backend connects the accounts with it. Requires `redirectUrl`',
    }),
    as: AccountKind.optional().meta({
      description:
        'LinkedIn only: connect the `member` (default), or the organizations that the member may post for',
    }),
  })
  .meta({ id: 'BeginConnection' });
export type BeginConnectionBody = z.output<typeof BeginConnectionBody>;

export const BegunConnection = z
  .object({
    authUrl: z.string().meta({
      format: 'uri',
      description:
        'A page of this service, to open in the browser of the person who owns the account. It names the workspace and continues to the platform',
    }),
    state: z.string().meta({ description: 'Identifies this attempt; valid once' }),
    expiresAt: Timestamp,
  })
  .meta({ id: 'BegunConnection' });
export type BegunConnection = z.infer<typeof BegunConnection>;

export const ClaimBody = z
  .object({ code: z.string().min(1).max(200).meta({ description: 'The `code` of the redirect' }) })
  .meta({ id: 'ClaimConnection' });

/** The view of an attempt for the workspace that began it. */
export const AttemptView = z
  .object({
    state: z.string(),
    platform: Platform,
    status: z.enum(['pending', 'choosing', 'connected', 'refused', 'expired']).meta({
      description:
        '`pending`: the user has not returned from the platform. `choosing`: the user has not confirmed, or, with `claim`, the accounts are not claimed yet. `connected`: see `accounts`. `refused`: see `error`. `expired`: a step took longer than ten minutes. The last three are final',
    }),
    accounts: z
      .array(AccountView)
      .meta({ description: 'The accounts that were connected, without those that are disconnected by now' }),
    externalId: z.string().nullable(),
    error: ConnectionError.optional().meta({ description: 'Reason why the attempt was refused' }),
  })
  .meta({ id: 'ConnectionAttempt' });
export type AttemptView = z.infer<typeof AttemptView>;

/**
 * An attempt's state, as stored. `pending`: until the browser returns and its code is exchanged. `choosing`: the user
 * chooses accounts and confirms. `chosen`: the client's backend must claim the accounts.
 */
export const ConnectionStatus = z.enum(['pending', 'choosing', 'chosen', 'connected', 'refused']);
export type ConnectionStatus = z.infer<typeof ConnectionStatus>;

export const connectionLifeCycle: LifeCycle<ConnectionStatus> = {
  pending: ['choosing', 'refused'],
  choosing: ['chosen', 'connected', 'refused'],
  chosen: ['connected'],
  connected: [],
  refused: [],
};

/** An attempt to connect accounts. It can only be found by the digest of its state. */
export const Connection = z.object({
  workspaceId: z.uuid(),
  platform: Platform,
  as: AccountKind.optional(),
  redirectUrl: z.string().optional(),
  externalId: z.string().optional(),
  claim: z.boolean().optional(),
  /** Items of earlier releases have no status. */
  status: ConnectionStatus.default('pending'),
  /** The request that began it, for the audit log. Attempts of earlier releases have none. */
  begunBy: z.object({ actor: ActorReference, requestId: z.string() }).optional(),
  /** The session of the person who began it: only this session may read and claim it. Absent if an API key began it. */
  sessionId: z.uuid().optional(),
  /** PKCE (RFC 7636). Useless without the code that the browser brings. */
  codeVerifier: z.string().optional(),
  /** The scopes that the attempt requests. Attempts of earlier releases have none. */
  scopes: z.array(z.string()).optional(),
  /** The end of the present step, unless the user or the claim completes it. */
  expiresAt: z.string(),
  /** The time from which the item is no longer shown, in epoch seconds. */
  expiresAtSeconds: z.number().optional(),
  /** SHA-256 of the cookie of the browser that continues the attempt. */
  browserDigest: z.string().optional(),
  /** The time at which the browser returned from the platform. */
  usedAt: z.string().optional(),
  /** The accounts of the login or, once the user has chosen, the chosen ones: encrypted JSON. */
  candidates: z.string().optional(),
  /** SHA-256 of the one-time code. It is kept, so that a repeated claim gets the same response. */
  claimDigest: z.string().optional(),
  accountIds: z.array(z.string()).optional(),
  error: ConnectionError.optional(),
});
export type Connection = z.infer<typeof Connection>;

/** An account that a login offers, after decryption: a `ConnectableAccount`. */
export const Candidate = z.object({
  platformAccountId: z.string(),
  loginId: z.string().exactOptional(),
  username: z.string().nullable(),
  displayName: z.string().nullable(),
  avatarUrl: z.string().nullable(),
  meta: FreeForm,
  tokens: SealedTokens,
});
export type Candidate = z.infer<typeof Candidate>;

/** Returns the best name that an account has. */
export const nameOf = (account: Pick<Candidate, 'displayName' | 'username' | 'platformAccountId'>): string =>
  account.displayName ?? account.username ?? account.platformAccountId;
