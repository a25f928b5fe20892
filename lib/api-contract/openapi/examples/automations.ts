import { automation, ids } from './things.ts';

const link = {
  url: 'https://bakery.example.com/recipes/rolls',
  address: 'https://api.example.com/r/Xk3vP9',
  isSent: true,
  clicks: 31,
  days: [
    { day: '2026-02-06', clicks: 22 },
    { day: '2026-02-07', clicks: 9 },
  ],
} as const;

/** Examples of comment automations and of their links. */
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
  listAccountPosts: {
    responses: {
      200: {
        posts: [
          {
            platformPostId: automation.platformPostId,
            postId: null,
            automationId: automation.id,
            kind: 'image',
            text: 'Cinnamon rolls, fresh from the oven. Write “recipe” if you want to bake them!',
            permalink: 'https://www.instagram.com/p/C4Xk3vP9aBc/',
            pictureUrl: 'https://scontent.cdninstagram.com/v/rolls.jpg',
            publishedAt: '2026-02-06T07:00:00.000Z',
          },
        ],
        nextCursor: null,
      },
    },
  },
  getAccountPostPicture: {
    responses: {
      200: { picture: { contentType: 'image/jpeg', data: '/9j/2wBDAAEBAQEBAQEBAQEBAQEBAQEBAQ==' } },
    },
  },
  listCommentAutomations: { responses: { 200: { automations: [automation], nextCursor: null } } },
  getCommentAutomation: {
    responses: {
      200: {
        automation: {
          ...automation,
          counts: { matched: 52, replied: 51, messaged: 45, clicks: 31, failed: 2 },
          failures: [
            {
              code: 'comment_unavailable',
              count: 2,
              message:
                'The platform no longer accepts an answer to the comment: it is gone or already has one. A new comment begins again.',
              whoCanAct: 'commenter',
            },
          ],
          waiting: {
            count: 4,
            until: '2026-02-06T13:00:00.000Z',
            reasons: [
              { reason: 'hourly_limit', count: 3 },
              { reason: 'paused', count: 1 },
            ],
          },
          links: [link],
        },
      },
    },
  },
  listCommentAutomationConversations: {
    responses: {
      200: {
        conversations: [
          {
            kind: 'private_message',
            commentId: '18012345678901234',
            messageId: null,
            personId: '1234567890123456',
            username: 'ada.bakes',
            text: 'The recipe, please!',
            commentedAt: '2026-02-06T12:04:11.000Z',
            state: 'waiting',
            reason: {
              code: 'hourly_limit',
              message: 'The account has sent all private replies that the platform allows in an hour.',
              whoCanAct: 'nobody',
            },
            sent: null,
            sentAt: null,
          },
        ],
        nextCursor: null,
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
  tryCommentAutomation: {
    request: { text: 'Could I have the recipe, please?' },
    responses: {
      200: {
        result: {
          matches: true,
          keyword: 'recipe',
          isActive: true,
          commentReply: automation.commentReply,
          dmMessage: automation.dmMessage,
        },
        warnings: [],
      },
    },
  },
  listLinks: {
    responses: {
      200: {
        links: [
          {
            ...link,
            automation: {
              id: automation.id,
              name: automation.name,
              accountId: automation.accountId,
              platformPostId: automation.platformPostId,
            },
          },
        ],
        nextCursor: null,
      },
    },
  },
  deleteCommentAutomation: { responses: { 200: { ok: true } } },
} as const;
