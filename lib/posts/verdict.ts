import * as z from 'zod';
import { PersonsVerdict } from '../targets/schemas.ts';

/** A person's word on a destination whose outcome is unknown. */
export const ResolveTargetBody = z
  .object({
    outcome: PersonsVerdict.meta({
      description:
        '`live`: the post is at the platform. `not live`: it is not, and is not being processed there',
    }),
    permalink: z
      .url({ protocol: /^https$/, error: 'must be an address that begins with https://' })
      .max(2_000)
      .optional()
      .meta({ description: "The post's address. With `live`, this or `platformPostId` is required" }),
    platformPostId: z
      .string()
      .regex(/^[!-~]{1,200}$/, 'must be 1 to 200 visible ASCII characters')
      .optional()
      .meta({ description: "The post's id at the platform. No two destinations have the same" }),
  })
  .superRefine(({ outcome, ...names }, { addIssue }) => {
    const given = (['permalink', 'platformPostId'] as const).filter((name) => names[name] !== undefined);
    if (outcome === 'live' && given.length === 0)
      addIssue({
        code: 'custom',
        path: ['permalink'],
        message: 'is required, unless the request has platformPostId',
        params: { code: 'field_required' },
      });
    for (const name of outcome === 'live' ? [] : given)
      addIssue({
        code: 'custom',
        path: [name],
        message: 'is only for the outcome live',
        params: { code: 'contradictory_fields' },
      });
  });
export type ResolveTargetBody = z.infer<typeof ResolveTargetBody>;
