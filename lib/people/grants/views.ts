import * as z from 'zod';
import { Permission } from '../../access/permissions.ts';
import { GrantEnd } from './schemas.ts';

/** An authorization request, as it is shown to the person who decides about it. */
export const AuthorizationView = z.object({
  /** Only the host is proved. The name is the client's own choice. */
  client: z.object({ id: z.string(), name: z.string(), host: z.string() }),
  /** The host to which the browser goes with the answer. */
  redirectHost: z.string(),
  /** True if that is the person's own computer. */
  isLoopback: z.boolean(),
  /** The permissions that the client asks for. */
  permissions: z.array(Permission),
  /** The reason why the client must ask differently; null if the person can decide. */
  problem: z.string().nullable(),
  /** The address that tells the client about the refusal. */
  declineUrl: z.string(),
});
export type AuthorizationView = z.infer<typeof AuthorizationView>;

/** The part of a grant that other API keys do not have. */
export const GrantView = z.object({
  /** The URL of the client's metadata document. */
  clientId: z.string(),
  clientHost: z.string(),
  /** The reason for which it ended by itself; null if it did not. */
  end: z.enum([...GrantEnd.options, 'person left']).nullable(),
});
export type GrantView = z.infer<typeof GrantView>;
