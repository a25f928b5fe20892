import * as z from 'zod';

/** A permission that an API key may be limited to. A key without a list has all of them. */
export const Permission = z.enum(['read', 'draft', 'publish', 'connect', 'automate', 'webhooks']).meta({
  id: 'Permission',
  description:
    '`read`: everything that only reads; `draft`: drafts, which a person or a key with `publish` confirms, and uploads; `publish`: posts, files, rhythms and boards, and all that `draft` allows; `connect`: connecting and disconnecting accounts; `automate`: comment automations; `webhooks`: endpoints and deliveries',
});
export type Permission = z.infer<typeof Permission>;

/** The permissions that include others. */
const included: Readonly<Partial<Record<Permission, readonly Permission[]>>> = { publish: ['draft'] };

/** Returns the permissions of which each suffices for what needs one. Pure. */
export const sufficientFor = (needed: Permission): readonly Permission[] =>
  Permission.options.filter((each) => each === needed || included[each]?.includes(needed));

/** A person's role in a workspace. An owner may do all that a member may. */
export const roles = ['member', 'owner'] as const;
export type Role = (typeof roles)[number];
