import { minuteMs, secondMs } from '../../../lib/kernel/clock.ts';
import type { PeopleLog } from '../judge/people-log.ts';
import type { LiveEntry } from '../platforms/platforms.ts';
import { createAutomations } from './automations.ts';
import type { PlannedComment, PlannedComments, PlannedMessage, PlannedMessages } from './plan.ts';
import type { Request } from './requests.ts';
import type { ReadyWorkspace, SetupPorts } from './setup.ts';

/** A message as Instagram's simulator lists it. */
export interface ListedMessage {
  readonly id: string;
  readonly username: string;
  readonly personId: string;
  readonly from: 'account' | 'person';
  readonly text: string;
  readonly buttons: readonly { readonly type: string }[];
  readonly commentId?: string;
  readonly at: number;
}

/** Number of times that a person looks for a message: after 5, 10, 20 … seconds, about an hour in all. */
/** Nobody answers a machine for ever. */
const mostAnswers = 4;
const looks = 10;

type Person = Pick<PlannedComment | PlannedMessage, 'by' | 'answers'>;

/** The people who comment on the posts of one workspace on Instagram, and the workspace's automations. */
export function createPeople(ports: SetupPorts, log: PeopleLog, workspace: ReadyWorkspace, request: Request) {
  const { world, platforms } = ports;
  const { clockwork, random } = world;
  const accountId = workspace.accounts.find(({ platform }) => platform === 'instagram')?.id ?? '';
  const automate = createAutomations(ports, workspace, request);
  const waiting = new Set(workspace.plan.comments.filter(({ post }) => post !== undefined));
  /** Questions that somebody has already answered. */
  const answered = new Set<string>();

  const control = (method: string, path: string, body?: object) =>
    platforms.control('instagram', method, path, body);
  /** People have their own names in each workspace, because the simulator knows one person by one name. */
  const nameOf = ({ by }: Person) => `${by}.${workspace.username}`;

  async function prepare({ buttons }: PlannedComments): Promise<void> {
    await control('PUT', 'settings', { templates: buttons });
    await control('POST', 'follows', { username: `ann.${workspace.username}`, follows: true });
    await control('POST', 'follows', { username: `cem.${workspace.username}`, follows: null });
  }

  /** Plans what happens on a live post. */
  function begin(planned: PlannedComments, platformPostId: string): void {
    clockwork.after(planned.automationAfterMs, () =>
      world.start(() => automate(planned, { platformPostId })),
    );
    for (const comment of planned.comments)
      clockwork.after(comment.afterMs, () => write(planned, comment, platformPostId));
  }

  async function write(planned: PlannedComments, comment: PlannedComment, postId: string): Promise<void> {
    const text = comment.isMatching ? 'the link please' : 'how nice';
    const username = nameOf(comment);
    const made = (await control('POST', 'comments', { postId, username, text })) as { id: string };
    world.note('client', username, `comments "${text}"`);
    log.comments.push({
      workspaceId: workspace.id,
      accountId: workspace.accounts[planned.account]?.id ?? '',
      commentId: made.id,
      platformPostId: postId,
      username,
      text,
      atMs: world.now(),
    });
    if (comment.answers) look(comment);
  }

  /** Looks for a new message of the account now and then, and answers it. @param left how many more answers to give */
  function look(comment: Person, time = 1, left = mostAnswers): void {
    if (time > looks || left === 0) return;
    clockwork.after(5 * secondMs * 2 ** (time - 1), async () => {
      const username = nameOf(comment);
      const messages = (await control('GET', 'messages')) as ListedMessage[];
      const question = messages.findLast(
        (message) => message.username === username && message.from === 'account' && !answered.has(message.id),
      );
      if (!question) {
        look(comment, time + 1, left);
        return;
      }
      answered.add(question.id);
      await answer(comment, question);
      look(comment, 1, left - 1);
    });
  }

  async function answer({ by, answers }: Person, question: ListedMessage): Promise<void> {
    const hasButton = question.buttons.some(({ type }) => type === 'postback');
    if (answers === 'writes' || !hasButton) {
      await send(question);
      return;
    }
    await tap(question);
    if (answers === 'taps twice') clockwork.after(random.between(0, 20 * secondMs), () => tap(question));
    if (by === 'bob' || by === 'eve')
      clockwork.after(random.between(0, minuteMs), async () => {
        await control('POST', 'follows', { username: question.username, follows: true });
      });
  }

  async function tap({ id: messageId, username, personId }: ListedMessage): Promise<void> {
    const { mid: tapId } = (await control('POST', 'taps', { messageId })) as { mid: string };
    world.note('client', username, 'taps the button');
    log.taps.push({ tapId, workspaceId: workspace.id, accountId, messageId, personId, atMs: world.now() });
  }

  const send = ({ username }: ListedMessage) => say(username, `thanks, says ${username}`);

  async function say(username: string, text: string, storyId?: string): Promise<void> {
    const { id: messageId, personId } = (await control('POST', 'messages', {
      username,
      text,
      account: workspace.username,
      ...(storyId !== undefined && { storyId }),
    })) as ListedMessage;
    world.note('client', username, storyId === undefined ? 'writes a message' : 'replies to a story');
    log.messages.push({
      workspaceId: workspace.id,
      accountId,
      messageId,
      personId,
      text,
      isStoryReply: storyId !== undefined,
      atMs: world.now(),
    });
  }

  /** Plans an automation that messages start, and those messages. */
  async function beginMessages(planned: PlannedMessages): Promise<void> {
    const { appliesTo, automationAfterMs, written } = planned;
    await control('POST', 'follows', { username: `dan.${workspace.username}`, follows: true });
    const content = { ...planned, replies: false, writes: true };
    clockwork.after(automationAfterMs, () => world.start(() => automate(content, { appliesTo })));
    for (const message of written)
      clockwork.after(message.afterMs, async () => {
        const text = message.isMatching ? 'the link please' : 'how nice';
        await say(nameOf(message), text, message.isStoryReply ? 'a story' : undefined);
        if (message.answers) look(message);
      });
  }

  return {
    /** Plans what happens on posts that were made before the run, and with messages. */
    async begin(): Promise<void> {
      for (const planned of workspace.plan.messages ?? []) await beginMessages(planned);
      for (const planned of workspace.plan.comments) {
        await prepare(planned);
        if (planned.post !== undefined) continue;
        const post = { username: workspace.username, caption: planned.name };
        const { id } = (await control('POST', 'posts', post)) as { id: string };
        begin(planned, id);
      }
    },
    /** Called when something goes live. */
    onLive({ platform, post }: LiveEntry): void {
      for (const planned of waiting) {
        if (platform !== 'instagram' || !post.content.startsWith(planned.post ?? '')) continue;
        waiting.delete(planned);
        clockwork.after(0, () => begin(planned, post.id));
      }
    },
  };
}
