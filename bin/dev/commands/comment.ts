import { parseArgs } from 'node:util';
import * as z from 'zod';
import { findLocalRun } from '../../local-cloud.ts';
import { callControl, type DevCommand, UsageError } from './command.ts';

const help = `Comment on an Instagram post of the local run, as somebody who has seen it: npm run dev:comment -- "<text>"

  npm run dev:comment -- "What is the price?"
  npm run dev:comment -- "link please" --as anna --post 17900000000000012

Options
  --as <username>   the person who comments (visitor)
  --post <id>       the post, by Instagram's id, which Herald shows as platformPostId (default: the newest that is live)

Instagram sends the comment to Herald as a webhook. Automations of the post then answer it.
`;

const Posts = z.array(z.object({ id: z.string(), content: z.string(), publishedAt: z.number() }));
const Comment = z.object({ id: z.string(), mediaId: z.string(), username: z.string() });

/** Comments on a live Instagram post. */
export const commentCommand: DevCommand = {
  help,
  async run(words) {
    const { values, positionals } = parseArgs({
      args: [...words],
      allowPositionals: true,
      options: { as: { type: 'string' }, post: { type: 'string' } },
    });
    const [text, ...rest] = positionals;
    if (text === undefined || text.trim() === '') throw new UsageError('give the text of the comment');
    if (rest.length > 0) throw new UsageError('put the text of the comment in quotation marks');
    const control = (await findLocalRun()).platforms['instagram']?.control;
    if (control === undefined) throw new Error('the local run has no Instagram');
    const postId = values.post ?? (await newestPost(control));
    const asked = { postId, username: values.as ?? 'visitor', text };
    const { id, mediaId, username } = Comment.parse(await callControl('POST', `${control}/comments`, asked));
    console.log(`${username} has commented on the post ${mediaId}; the comment's id is ${id}.`);
  },
};

async function newestPost(control: string): Promise<string> {
  const posts = Posts.parse(await callControl('GET', `${control}/posts`));
  const [newest] = posts.sort((one, other) => other.publishedAt - one.publishedAt);
  if (newest === undefined)
    throw new Error(
      'no post is live on Instagram yet: publish one first, as in the quick start of README.md',
    );
  return newest.id;
}
