import * as z from 'zod';
import { dayMs, hourMs, minuteMs } from '../../kernel/clock.ts';

/** The time in which a client must redeem an authorization code. */
export const codeMs = minuteMs;
/** The life of an access token. */
export const accessMs = hourMs;
/**
 * The time in which a client may repeat a refresh whose answer it has not received. It gets the same tokens again: see
 * `successorsOf`.
 */
export const repeatMs = minuteMs;
/** The longest life of a grant. */
export const maxGrantMs = 366 * dayMs;

/** The reasons for which a grant ends before its expiry and without a person. */
export const GrantEnd = z.enum(['code reused', 'token reused', 'client']);
export type GrantEnd = z.infer<typeof GrantEnd>;

const Valid = z.object({ digest: z.string(), until: z.string() });

/**
 * The codes and tokens of a grant, as digests. The grant itself is an API key with another kind of secret: its limits are in the
 * look-up item of the key, which only the panel's functions write.
 */
export const Grant = z.object({
  keyId: z.uuid(),
  clientId: z.string(),
  redirectUri: z.string(),
  /** The resource for which the client has asked. */
  resource: z.string(),
  code: z.object({ ...Valid.shape, challenge: z.string() }),
  /** Incremented with each change, and the condition of the next. */
  version: z.int(),
  /** Absent until the code is redeemed. */
  refreshDigest: z.string().optional(),
  /** The refresh token before the present one, from which the present tokens were derived. */
  before: z.object({ digest: z.string(), salt: z.string(), at: z.string() }).optional(),
  /** The newest access token first. The one before stays valid until its own end. */
  access: z.array(Valid).optional(),
  ended: z.object({ at: z.string(), by: GrantEnd }).optional(),
});
export type Grant = z.infer<typeof Grant>;
