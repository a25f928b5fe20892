import * as z from 'zod';
import { isTimezone } from '../kernel/time-zone.ts';

const maxNameCharacters = 100;

/**
 * A pattern for control characters and characters that change the direction of text: people read names in pages and in terminals.
 */
const unreadable = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;

/** A change of a workspace. Absent fields keep their values. */
export const EditWorkspaceBody = z
  .object({
    name: z
      .string()
      .trim()
      .min(1)
      .max(maxNameCharacters)
      .refine((name) => !unreadable.test(name), 'must not contain control characters')
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
