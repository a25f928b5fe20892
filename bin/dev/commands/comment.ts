import { parseArgs } from 'node:util';
import * as z from 'zod';
import { findLocalRun } from '../../local-cloud.ts';
import { callControl, type DevCommand, UsageError } from './command.ts';

const help = `Comment on an Instagram post of the local run, as somebody who has seen it: npm run dev:comment -- "<text>"

  npm run dev:comment -- "What is the price?"
  npm run dev:comment -- "link please" --as anna --post 17900000000000012
  npm run dev:comment -- "link please" --as anna --story

Options
  --as <username>   the person who comments (visitor)
  --post <id>       the post, by Instagram's id, which Herald shows as platformPostId (default: the newest that is live)
  --message         send the text as a direct message to the account instead
  --story           send it as a reply to a story of the account instead
  --account <name>  the account that gets the message (default: one that the person knows, or else the first)

Instagram sends the comment or message to Herald as a webhook. Automations then answer it.
`;

const Posts = z.array(z.object({ id: z.string(), content: z.string(), publishedAt: z.number() }));
const Comment = z.object({ id: z.string(), mediaId: z.string(), username: z.string() });

const Message = z.object({ id: z.string(), username: z.string() });

/** Comments on a live Instagram post, or writes to the account. */
export const commentCommand: DevCommand = {
  help,
  async run(words) {
    const { values, positionals } = parseArgs({
      args: [...words],
      allowPositionals: true,
      options: {
        as: { type: 'string' },
        post: { type: 'string' },
        message: { type: 'boolean' },
        story: { type: 'boolean' },
        account: { type: 'string' },
      },
    });
    const [text, ...rest] = positionals;
    if (text === undefined || text.trim() === '') throw new UsageError('give the text of the comment');
    if (rest.length > 0) throw new UsageError('put the text of the comment in quotation marks');
    const control = (await findLocalRun()).platforms['instagram']?.control;
    if (control === undefined) throw new Error('the local run has no Instagram');
    if (values.message || values.story) {
      if (values.post !== undefined) throw new UsageError('a message is about no post: leave --post out');
      const written = {
        username: values.as ?? 'visitor',
        text,
        account: values.account,
        ...(values.story && { storyId: anyStory }),
      };
      const sent = Message.parse(await callControl('POST', `${control}/messages`, written));
      console.log(`${sent.username} has written to the account; the message's id is ${sent.id}.`);
      return;
    }
    const postId = values.post ?? (await newestPost(control));
    const asked = { postId, username: values.as ?? 'visitor', text };
    const { id, mediaId, username } = Comment.parse(await callControl('POST', `${control}/comments`, asked));
    console.log(`${username} has commented on the post ${mediaId}; the comment's id is ${id}.`);
  },
};

/** The simulator need not know the story: people reply to stories that were made in the app. */
const anyStory = '17900000000000099';

async function newestPost(control: string): Promise<string> {
  const posts = Posts.parse(await callControl('GET', `${control}/posts`));
  const [newest] = posts.sort((one, other) => other.publishedAt - one.publishedAt);
  if (newest === undefined)
    throw new Error(
      'no post is live on Instagram yet: publish one first, as in the quick start of README.md',
    );
  return newest.id;
}
