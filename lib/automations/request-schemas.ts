import * as z from 'zod';
import { Id } from '../api-contract/fields.ts';
import { checkDestinationUrl } from '../links/destination-url.ts';
import { normalizeText } from './matching/normalize-text.ts';
import { automationLimits, MatchMode } from './schemas.ts';

/** A text for people: with line breaks and tabs, but nothing else that is not to be seen. */
const text = (mostCharacters: number) =>
  z
    .string()
    .max(mostCharacters)
    .refine((value) => value.trim() !== '', 'must not be blank; leave it out instead')
    .refine((value) => !/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/.test(value), {
      error: 'must not hold control characters',
    });

const Text = text(automationLimits.textCharacters);

const Name = text(automationLimits.nameCharacters).nullable();

const Keyword = text(automationLimits.keywordCharacters)
  .transform((value) => value.trim())
  .superRefine((value, { addIssue }) => {
    const { length } = normalizeText(value);
    if (length === 0) addIssue({ code: 'custom', message: 'must hold something that can be seen' });
    if (length > automationLimits.keywordCharacters) {
      addIssue({
        code: 'custom',
        message: `must be at most ${automationLimits.keywordCharacters} characters`,
      });
    }
  });

const Keywords = z.array(Keyword).max(automationLimits.keywords).meta({
  description:
    'A comment has to say one of them; with none, every comment matches. Those that are compared alike are kept once',
});

const MatchModeField = MatchMode.meta({
  id: 'MatchMode',
  description:
    'Where in the comment: anywhere (`contains`), nothing else (`exact`), at its beginning (`starts_with`), anywhere but not within a longer word (`word`). Upper and lower case, Unicode forms and the four Turkish letters İ, I, ı, i make no difference',
});

const TypoTolerance = z.boolean().meta({
  description:
    'Forgives one typing error in a word of 4 to 7 letters of a keyword and two from 8 on: a letter put in, left out or replaced, or two neighbours exchanged',
});

const CommentReply = Text.nullable().meta({ description: 'The public reply to the comment' });
const DmMessage = Text.nullable().meta({ description: 'The private message' });

const ButtonUrl = z
  .string()
  .transform((value) => value.trim())
  .superRefine((value, { addIssue }) => {
    const verdict = checkDestinationUrl(value);
    if ('problem' in verdict) addIssue({ code: 'custom', message: verdict.problem });
  })
  .meta({ format: 'uri', description: '`http` or `https`' });

const Buttons = z
  .array(
    z
      .object({ type: z.literal('url').default('url'), title: Text, url: ButtonUrl })
      .meta({ id: 'LinkButton' }),
  )
  .max(20)
  .meta({ description: 'Under `dmMessage`; at most 3' });

const FollowGateField = z
  .object({
    message: Text.meta({ description: 'Sent first, with a button' }),
    buttonLabel: Text,
    notFollowingMessage: Text.meta({
      description: 'Sent, with the button again, to who taps and does not follow the account',
    }),
  })
  .nullable()
  .meta({
    description:
      'Holds `dmMessage` back until the person taps the button and follows the account, or the platform does not say whether they do',
  });

const TrackLinks = z.boolean().meta({
  description:
    'Whether the links of `dmMessage` and `buttons` are sent as `/r/<code>`, so that clicks are counted',
});

const IsActive = z.boolean().meta({ description: '`false`: comments are not answered' });

export const CreateAutomationBody = z
  .object({
    accountId: Id,
    platformPostId: z
      .string()
      .min(1)
      .max(automationLimits.platformPostIdCharacters)
      .meta({ description: "The live post's id at the platform; the post may be from outside this service" }),
    name: Name.default(null),
    isActive: IsActive.default(true),
    keywords: Keywords.default([]),
    matchMode: MatchModeField.default('contains'),
    typoTolerance: TypoTolerance.default(false),
    commentReply: CommentReply.default(null),
    dmMessage: DmMessage.default(null),
    buttons: Buttons.default([]),
    followGate: FollowGateField.default(null),
    trackLinks: TrackLinks.default(true),
  })
  .meta({ id: 'CreateCommentAutomation' });
export type CreateAutomationBody = z.infer<typeof CreateAutomationBody>;

/** An automation stays with its post: another post's is another automation. */
const fixed = z.undefined('cannot be changed; create a rule for the other post').optional();

export const EditAutomationBody = z
  .object({
    accountId: fixed,
    platformPostId: fixed,
    name: Name.optional(),
    isActive: IsActive.optional(),
    keywords: Keywords.optional(),
    matchMode: MatchModeField.optional(),
    typoTolerance: TypoTolerance.optional(),
    commentReply: CommentReply.optional(),
    dmMessage: DmMessage.optional(),
    buttons: Buttons.optional(),
    followGate: FollowGateField.optional(),
    trackLinks: TrackLinks.optional(),
  })
  .meta({ id: 'EditCommentAutomation' });
export type EditAutomationBody = z.infer<typeof EditAutomationBody>;
