import * as z from 'zod';
import { Id } from '../../api-contract/fields.ts';
import {
  createAutomationOperation,
  editAutomationOperation,
  listAutomationsOperation,
  readAutomationOperation,
} from '../../automations/operations.ts';
import { AutomationDetail } from '../../automations/views.ts';
import { HeraldError, invalidField } from '../../kernel/errors.ts';
import { reads, tool } from '../tool.ts';
import { AutomationState } from '../views.ts';

export const findAutomations = tool({
  name: 'find_automations',
  title: 'Find automations',
  description:
    'Lists the automations that answer comments. With `automationId`: one, with its counts and failures.',
  effects: reads,
  input: z.strictObject({
    automationId: Id.optional(),
    accountId: Id.optional(),
    cursor: z.string().max(2_000).optional(),
  }),
  output: z.object({
    automations: z.array(AutomationState),
    counts: z.record(z.string(), z.int()).optional(),
    failures: z
      .array(AutomationDetail.shape.failures.element.pick({ count: true, message: true, whoCanAct: true }))
      .optional(),
    nextCursor: z.string().nullable(),
  }),
  operations: [listAutomationsOperation, readAutomationOperation],
  run: async ({ call }, { automationId, ...query }) => {
    if (automationId === undefined) return call(listAutomationsOperation, { query });
    const { automation } = await call(readAutomationOperation, { path: { id: automationId } });
    const { counts, failures } = automation;
    return { automations: [automation], counts, failures, nextCursor: null };
  },
});

const Text = z.string().max(10_000).nullable().optional();

export const setAutomation = tool({
  name: 'set_automation',
  title: 'Set an automation',
  description:
    'Creates an automation for a live post (`accountId`, `platformPostId`), or changes one (`automationId`). `isActive: false` turns it off. It sends its texts to people: use words the user has approved.',
  effects: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: true },
  input: z.strictObject({
    automationId: Id.optional(),
    accountId: Id.optional(),
    platformPostId: z.string().max(200).optional(),
    name: z.string().max(1_000).optional(),
    isActive: z.boolean().optional(),
    keywords: z
      .array(z.string().max(1_000))
      .max(1_000)
      .optional()
      .meta({ description: 'Empty: every comment matches' }),
    commentReply: Text.meta({ description: 'Public reply' }),
    dmMessage: Text.meta({ description: 'Private message' }),
  }),
  output: AutomationState.pick({ id: true, isActive: true }),
  operations: [createAutomationOperation, editAutomationOperation],
  run: async ({ call }, { automationId, ...body }) => {
    if (automationId !== undefined) {
      const { accountId, platformPostId, ...changes } = body;
      if (accountId !== undefined || platformPostId !== undefined)
        throw invalidField('accountId', 'cannot be changed; leave it and platformPostId out');
      const edited = await call(editAutomationOperation, { path: { id: automationId }, body: changes });
      return edited.automation;
    }
    const created = await call(createAutomationOperation, { body });
    if (!('existing' in created)) return created.automation;
    throw new HeraldError(
      'conflict',
      `the post has the automation ${created.automation.id}, which was not changed: to change it, name it as automationId`,
      { param: 'platformPostId' },
    );
  },
});
