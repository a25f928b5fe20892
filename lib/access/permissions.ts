import * as z from 'zod';

/** A permission that an API key may be limited to. A key without a list has all of them. */
export const Permission = z.enum(['read', 'publish', 'connect', 'automate', 'webhooks']).meta({
  id: 'Permission',
  description:
    '`read`: everything that only reads; `publish`: posts, files, rhythms and boards; `connect`: connecting and disconnecting accounts; `automate`: comment automations; `webhooks`: endpoints and deliveries',
});
export type Permission = z.infer<typeof Permission>;

/** A person's role in a workspace. An owner may do all that a member may. */
export const roles = ['member', 'owner'] as const;
export type Role = (typeof roles)[number];
