import type { Condition } from './post.ts';

export const strings = {
  conditions: {
    draft: 'Draft',
    scheduled: 'Scheduled',
    waiting: 'Waiting',
    publishing: 'Publishing',
    published: 'Published',
    partial: 'Partly published',
    failed: 'Failed',
    unknown: 'Outcome unknown',
  } as const satisfies Readonly<Record<Condition, string>>,
  /** For the conditions whose words are long, where there is little space. */
  shortConditions: { partial: 'Partly', unknown: 'Unknown' } as Readonly<Partial<Record<Condition, string>>>,
  /** A post without words. */
  noText: 'Post without text',
  newPost: 'New post',
};
