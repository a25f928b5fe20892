import * as z from 'zod';
import { Timestamp } from '../api-contract/fields.ts';

export const WorkspaceView = z
  .object({
    id: z.uuid(),
    name: z.string().meta({ description: 'People who connect an account see it' }),
    timezone: z.string().meta({
      description:
        'The time zone in which the panel shows times. It changes no request: `timezone` of a post is UTC by default',
    }),
    createdAt: Timestamp,
    storage: z.object({
      usedBytes: z.int().meta({
        description:
          'Bytes that uploads use: the declared size from the grant on, the real size once the file has arrived. It may exceed the quota if files turned out larger than declared',
      }),
      quotaBytes: z.int(),
    }),
    counts: z.object({
      accounts: z
        .int()
        .meta({ description: 'Connected accounts that the key may use, including expired ones' }),
      webhooks: z.int().meta({ description: 'Registered endpoints, including disabled ones' }),
      keys: z.int().meta({ description: 'API keys that are not revoked' }),
    }),
  })
  .meta({ id: 'Workspace' });
export type WorkspaceView = z.infer<typeof WorkspaceView>;
