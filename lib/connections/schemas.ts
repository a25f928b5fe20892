import * as z from 'zod';
import { SealedTokens } from '../accounts/tokens/store.ts';
import { FreeForm, Timestamp } from '../api-contract/fields.ts';
import { AccountKind, Platform } from '../platforms/contract/names.ts';
import { RedirectUrl } from './redirect-url.ts';

export const BeginConnectionBody = z
  .object({
    redirectUrl: RedirectUrl.optional(),
    as: AccountKind.optional().meta({
      description:
        'LinkedIn only: connect the `member` (default), or the organizations that the member may post for',
    }),
  })
  .meta({ id: 'BeginConnection' });
export type BeginConnectionBody = z.output<typeof BeginConnectionBody>;

export const BegunConnection = z
  .object({
    authUrl: z
      .string()
      .meta({ format: 'uri', description: "The platform's consent page: open it in a browser" }),
    state: z.string().meta({ description: 'Identifies this attempt; valid once' }),
    expiresAt: Timestamp,
  })
  .meta({ id: 'BegunConnection' });
export type BegunConnection = z.infer<typeof BegunConnection>;

/** An attempt to connect, until the browser returns. It can only be found by the digest of its state. */
export const Connection = z.object({
  workspaceId: z.uuid(),
  platform: Platform,
  as: AccountKind.optional(),
  redirectUrl: z.string().optional(),
  /** PKCE (RFC 7636). Useless without the code that the browser brings. */
  codeVerifier: z.string().optional(),
  expiresAt: z.string(),
  usedAt: z.string().optional(),
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

/** The accounts of a login that has several. They are stored encrypted until the user chooses. */
export const Choice = z.object({
  workspaceId: z.uuid(),
  platform: Platform,
  redirectUrl: z.string().optional(),
  /** The candidates, as encrypted JSON; removed once the user has chosen. */
  candidates: z.string().optional(),
  expiresAt: z.string(),
  usedAt: z.string().optional(),
});
export type Choice = z.infer<typeof Choice>;
