import { automation, ids } from './things.ts';

/** Examples of comment automations. */
export const examples = {
  createCommentAutomation: {
    request: {
      accountId: ids.instagram,
      platformPostId: automation.platformPostId,
      name: automation.name,
      keywords: automation.keywords,
      matchMode: automation.matchMode,
      typoTolerance: automation.typoTolerance,
      commentReply: automation.commentReply,
      dmMessage: automation.dmMessage,
      buttons: automation.buttons,
    },
    responses: {
      200: { ok: true, existing: true, automation, warnings: [] },
      201: { ok: true, automation, warnings: [] },
    },
  },
  listCommentAutomations: { responses: { 200: { automations: [automation], nextCursor: null } } },
  getCommentAutomation: {
    responses: {
      200: {
        automation: {
          ...automation,
          counts: { matched: 48, replied: 48, messaged: 45, clicks: 31 },
          links: [
            {
              url: 'https://bakery.example.com/recipes/rolls',
              address: 'https://api.example.com/r/Xk3vP9',
              isSent: true,
              clicks: 31,
              days: [
                { day: '2026-02-06', clicks: 22 },
                { day: '2026-02-07', clicks: 9 },
              ],
            },
          ],
        },
      },
    },
  },
  updateCommentAutomation: {
    request: { keywords: ['recipe', 'rezept', 'receta'] },
    responses: {
      200: {
        automation: {
          ...automation,
          keywords: ['recipe', 'rezept', 'receta'],
          updatedAt: '2026-02-06T12:31:09.555Z',
        },
        warnings: [],
      },
    },
  },
  deleteCommentAutomation: { responses: { 200: { ok: true } } },
} as const;
