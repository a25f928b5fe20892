import * as z from 'zod';
import { isTimezone } from '../kernel/time-zone.ts';

const maxNameCharacters = 200;

/** A change of a workspace. Absent fields keep their values. */
export const EditWorkspaceBody = z
  .object({
    name: z
      .string()
      .trim()
      .min(1)
      .max(maxNameCharacters)
      .optional()
      .meta({ description: 'People who connect an account see it' }),
    timezone: z
      .string()
      .max(64)
      .refine(isTimezone, 'must be an IANA time zone, such as Europe/Istanbul')
      .optional()
      .meta({ description: 'IANA time zone, such as `Europe/Istanbul`' }),
  })
  .meta({ id: 'EditWorkspace' });
export type EditWorkspaceBody = z.infer<typeof EditWorkspaceBody>;
