import type { WorkKind } from '../../../unfinished/kept-work.ts';
import type { Draft } from './draft.ts';

/** Automations that are not saved. */
export const automationWork: WorkKind<Draft> = {
  prefix: 'automations',
  longestMs: 30 * 86_400_000,
  isDraft: (value): value is Draft => {
    if (typeof value !== 'object' || value === null) return false;
    const { accountId, commentReply, dmMessage, keywords, buttons, gate } = value as Partial<Draft>;
    return (
      [accountId, commentReply, dmMessage].every((text) => typeof text === 'string') &&
      [keywords, buttons].every(Array.isArray) &&
      typeof gate === 'object'
    );
  },
};
