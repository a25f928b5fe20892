/** The steps that a platform's reviewer takes, as data: what a recording must show, and how a browser goes there. */
import type { Page } from 'playwright-core';
import type { Feature } from '../../../lib/platforms/contract/features.ts';
import type { AccountKind, Platform } from '../../../lib/platforms/contract/names.ts';

/** A reviewer's visit: the browser, and the service that it looks at. */
export interface Visit {
  readonly page: Page;
  readonly panelUrl: string;
  readonly platform: Platform;
  /** The platform's name, as the pages have it. */
  readonly title: string;
  /** The kind of account to connect, where the platform has several. */
  readonly as: AccountKind | undefined;
  readonly features: readonly Feature[];
  readonly scopes: readonly string[];
  /** The username at the simulated platform. */
  readonly login: string;
  readonly image: string;
  readonly video: string;
  /** The page of the post, once it is published. */
  postUrl?: string;
  /** Moves the service's clock forward. */
  passTime(seconds: number): void;
  /** Acts at the simulated platform, as a person there. @param name of the control, such as `comments` */
  act(name: string, body: object): Promise<Readonly<Record<string, unknown>>>;
  /** Waits until the post has a field at the platform, and returns it. */
  platformPostId(): Promise<string>;
}

export interface ReviewStep {
  /** Names the picture's file. */
  readonly id: string;
  readonly title: string;
  /** The advice for whoever records it. */
  readonly record: string;
  /** The feature whose permissions the step demonstrates. Without it, the step is left out. Absent: taken in any case. */
  readonly feature?: Feature;
  /** The texts that the page must show at the end. */
  readonly expected: (visit: Visit) => readonly (string | RegExp)[];
  readonly walk: (visit: Visit) => Promise<void>;
}

/** The text of the post. The simulated commenter uses its keyword. */
export const postText = 'The winter roast is here. Comment “roast” and we send you the recipe.';
const comment = 'Ask us anything about it below.';

const signIn: ReviewStep = {
  id: 'sign-in',
  title: 'Sign in to the panel',
  record: 'Begin at the address of your panel, with the address bar in sight. Sign in as the reviewer will.',
  expected: () => ['Accounts'],
  async walk({ page, panelUrl }) {
    await page.goto(panelUrl);
    await page.getByRole('link', { name: 'Sign in' }).click();
    await page.getByRole('button', { name: 'Continue as Owner' }).click();
    await page.getByRole('navigation').getByRole('link', { name: 'Accounts' }).waitFor();
  },
};

const begin: ReviewStep = {
  id: 'connect',
  title: 'Choose the platform',
  record: 'Open Accounts, press “Connect account”, and choose the platform.',
  expected: ({ title }) => [`Continue to ${title}`],
  async walk({ page, panelUrl, title, as }) {
    await page.goto(`${panelUrl}/accounts`);
    await page.getByRole('button', { name: 'Connect account' }).first().click();
    await page.getByRole('radio', { name: new RegExp(`^${title}\\b`) }).check({ force: true });
    if (as === 'organization')
      await page.getByRole('radio', { name: /^Organization/ }).check({ force: true });
  },
};

const introduction: ReviewStep = {
  id: 'introduction',
  title: 'The page before the platform',
  record: 'Stop at this page for a moment: it says who asks for access, and that no password is given away.',
  expected: ({ title }) => [`asks to publish as you on ${title}.`],
  async walk({ page, title }) {
    await page.getByRole('button', { name: `Continue to ${title}` }).click();
    await page.getByText('asks to publish as you on').waitFor();
  },
};

const consent: ReviewStep = {
  id: 'consent',
  title: 'The platform’s consent page',
  record:
    'Show the whole page in English, with every permission and with the address bar, which has the id of your app. Sign out at the platform first, so that its login is shown too.',
  expected: ({ scopes }) => scopes,
  async walk({ page, title, login }) {
    await page.getByRole('button', { name: `Continue to ${title}` }).click();
    await page.getByRole('button', { name: `Allow as ${login}` }).waitFor();
  },
};

const choose: ReviewStep = {
  id: 'choose',
  title: 'Choose the account',
  record: 'Grant all permissions. Herald shows which account was found, and asks before it keeps it.',
  expected: () => [/^Connect/],
  async walk({ page, login }) {
    await page.getByRole('button', { name: `Allow as ${login}` }).click();
    await page.getByRole('button', { name: 'Connect' }).waitFor();
  },
};

const connected: ReviewStep = {
  id: 'connected',
  title: 'The account is connected',
  record: 'Show the account’s name and picture: this is what the permission for the profile is for.',
  expected: () => ['You can plan posts for it now.'],
  async walk({ page }) {
    const [first] = await page.getByRole('checkbox').all();
    if (first !== undefined) await first.check({ force: true });
    await page.getByRole('button', { name: 'Connect' }).click();
    await page.getByText('You can plan posts for it now.').waitFor();
  },
};

/** Chooses the account and writes the post, with its file. */
async function write({ page, panelUrl, title, features, image, video, platform }: Visit): Promise<void> {
  await page.goto(`${panelUrl}/compose`);
  await page.getByRole('checkbox', { name: title }).check({ force: true });
  await page.getByRole('textbox', { name: 'Text', exact: true }).fill(postText);
  await page
    .locator('input[type=file]')
    .first()
    .setInputFiles(platform === 'youtube' ? video : image);
  await page.getByRole('row', { name: /sample\./ }).waitFor();
  if (features.includes('comments')) {
    const add = page.getByRole('button', { name: 'Add a first comment' });
    if (await add.isVisible()) await add.click();
    await page.getByRole('textbox', { name: 'First comment' }).first().fill(comment);
  }
}

const compose = (more: (visit: Visit) => Promise<void> = async () => {}, record = ''): ReviewStep => ({
  id: 'compose',
  title: 'Write the post',
  record: `Type the text and choose the file on camera. ${record}`.trim(),
  expected: () => [postText, 'No problems found.'],
  async walk(visit) {
    await write(visit);
    await more(visit);
    await visit.page.getByText('No problems found.').waitFor();
  },
});

const pollMs = 500;

/** Waits for something that the service does in time, while its clock moves on. */
async function passUntil(visit: Visit, isDone: () => Promise<boolean>, tries = 240): Promise<void> {
  for (let tried = 0; tried < tries; tried += 1) {
    if (await isDone()) return;
    visit.passTime(2);
    await visit.page.waitForTimeout(pollMs);
  }
  throw new Error('it has not happened in two minutes');
}

/** Sends the post that is in the composer, and waits on its page until `sign` is shown. */
async function send(visit: Visit, sign: string): Promise<void> {
  const { page } = visit;
  await page.getByRole('radio', { name: /^Now/ }).check({ force: true });
  await page.getByRole('button', { name: 'Publish now' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Publish now' }).click();
  await page.waitForURL('**/posts/*');
  visit.postUrl = page.url();
  await passUntil(visit, () => page.getByText(sign).first().isVisible());
}

const publish: ReviewStep = {
  id: 'published',
  title: 'The post is live',
  record:
    'Press “Publish now” and confirm. Then follow the link to the platform, and show the post there, with its text.',
  expected: ({ title }) => [`Open at ${title}`],
  walk: (visit) => send(visit, `Open at ${visit.title}`),
};

const firstComment: ReviewStep = {
  id: 'first-comment',
  title: 'The first comment',
  feature: 'comments',
  record: 'Show the comment in Herald, and then below the post at the platform.',
  expected: () => ['First comment', 'Added.'],
  walk: (visit) => passUntil(visit, () => visit.page.getByText('Added.').first().isVisible()),
};

/** Numbers are first read an hour after a post went live. */
const numbersSeconds = 3_700;

const numbers: ReviewStep = {
  id: 'numbers',
  title: 'The numbers of the post',
  feature: 'insights',
  record:
    'Open the post an hour after it went live, and show its numbers in Herald; then the same numbers at the platform.',
  expected: () => ['Results', 'Views', 'As of'],
  async walk(visit) {
    visit.passTime(numbersSeconds);
    await passUntil(visit, async () => {
      await visit.page.goto(visit.postUrl ?? '');
      await visit.page.getByRole('heading', { name: 'Results' }).waitFor();
      await visit.page.waitForTimeout(pollMs);
      return visit.page.getByText('As of').first().isVisible();
    });
  },
};

const takeDown: ReviewStep = {
  id: 'taken-down',
  title: 'Take the post down',
  feature: 'removal',
  record: 'Choose “Take down…” in the menu of the post, confirm, and show that it is gone at the platform.',
  expected: () => ['Taken down'],
  async walk(visit) {
    const { page } = visit;
    await page.goto(visit.postUrl ?? '');
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Take down…' }).click();
    await page
      .getByRole('alertdialog')
      .getByRole('button', { name: /^Take down/ })
      .click();
    await passUntil(visit, () => page.getByText('Taken down').first().isVisible());
  },
};

const disconnect: ReviewStep = {
  id: 'disconnected',
  title: 'Disconnect the account',
  record:
    'Open the account, press “Disconnect…”, confirm, and show that it is gone from the list. Ten minutes after the sign-in, Herald asks for another one.',
  expected: () => ['Accounts'],
  async walk({ page, panelUrl }) {
    await page.goto(`${panelUrl}/accounts`);
    await page.getByRole('main').locator('a[href^="/accounts/"]').first().click();
    await page.getByRole('button', { name: 'Disconnect…' }).click();
    await page.getByRole('alertdialog').getByRole('checkbox').check({ force: true });
    await page.getByRole('button', { name: 'Disconnect account' }).click();
    const done = page.getByText(/is disconnected/);
    const proof = page.getByRole('dialog', { name: 'Confirm that it is you' });
    await done.or(proof).first().waitFor();
    // More than ten minutes have passed since the sign-in.
    if (await proof.isVisible()) {
      const opening = page.waitForEvent('popup');
      await proof.getByRole('button', { name: 'Sign in' }).click();
      await (await opening).getByRole('button', { name: 'Continue as Owner' }).click();
      await done.waitFor();
    }
  },
};

/** Meta calls the service when a person has the data deleted, and shows the person the page that the answer names. */
const deletion: ReviewStep = {
  id: 'deletion',
  title: 'The person has the data deleted at the platform',
  record:
    'At the platform, remove the app in the settings and ask for the deletion of the data. Open the page that is shown, with its code.',
  expected: () => ['Your data is deleted'],
  async walk(visit) {
    const { url } = await visit.act('data-deletion', { username: visit.login });
    await passUntil(visit, async () => {
      await visit.page.goto(String(url));
      return visit.page.getByText('Your data is deleted').first().isVisible();
    });
  },
};

const boards = compose(async ({ page }) => {
  await page.getByRole('combobox', { name: 'Board' }).click();
  await page.getByRole('option').first().click();
}, 'Choose the board from the list: this is what the permissions for boards are for.');

const channelOptions = compose(async ({ page }) => {
  await page.getByRole('radio', { name: 'No', exact: true }).check({ force: true });
}, 'Show the title, who can see the video, and the playlist.');

const playlists: ReviewStep = {
  id: 'playlists',
  title: 'The channel’s playlists',
  feature: 'playlists',
  record: 'Open the list of playlists in the composer, and choose one before you publish.',
  expected: () => ['Playlist'],
  async walk(visit) {
    await visit.page.getByText('Playlist', { exact: true }).first().scrollIntoViewIfNeeded();
  },
};

const captions: ReviewStep = {
  id: 'captions',
  title: 'Captions',
  feature: 'captions',
  record: 'Open “More options”, add a file of captions, and show them below the video once it is live.',
  expected: () => ['Captions'],
  async walk({ page }) {
    const more = page.getByRole('button', { name: 'More options' });
    if (await more.isVisible()) await more.click();
    await page.getByText('Captions', { exact: true }).first().scrollIntoViewIfNeeded();
  },
};

const privacy = (page: Page) => page.getByRole('button', { name: /Who can see this post$/ });

/**
 * TikTok's audit looks at the composer in the order of its guidelines, points 1 to 5.
 * https://developers.tiktok.com/doc/content-sharing-guidelines
 */
const tiktokComposer: readonly ReviewStep[] = [
  {
    id: 'compose-empty',
    title: 'The composer, before anything is chosen (points 1 and 2)',
    record:
      'Show the name of the account, the preview, that no privacy level is chosen, and that comments, duets and stitches are off. Open the list of privacy levels.',
    expected: () => [
      /^Posts as /,
      'Choose…',
      'Allow comments',
      'Disclose post content',
      /Music Usage Confirmation/,
      /may take a few minutes/,
    ],
    async walk(visit) {
      await write(visit);
      await visit.page.getByText(/^Posts as /).waitFor();
    },
  },
  {
    id: 'disclosure-needed',
    title: 'Disclosure on, nothing chosen (point 3)',
    record: 'Turn “Disclose post content” on, and try to publish: Herald asks what the post promotes.',
    expected: () => [
      'You need to indicate if your content promotes yourself, a third party, or both.',
      'Your brand',
      'Branded content',
    ],
    async walk({ page }) {
      await page.getByRole('checkbox', { name: /^Disclose post content/ }).check({ force: true });
      await page.getByRole('radio', { name: /^Now/ }).check({ force: true });
      await page.getByRole('button', { name: 'Publish now' }).click();
    },
  },
  {
    id: 'disclosure-your-brand',
    title: 'Your brand (point 3)',
    record: 'Tick “Your brand”, and show the label that the post gets.',
    expected: () => [/labeled as “Promotional content”/],
    async walk({ page }) {
      await page.getByRole('checkbox', { name: /^Your brand/ }).check({ force: true });
    },
  },
  {
    id: 'disclosure-branded',
    title: 'Branded content (points 3 and 4)',
    record:
      'Tick “Branded content”: the label changes, the declaration names the Branded Content Policy, and “Only me” cannot be chosen. Open the list.',
    expected: () => [/labeled as “Paid partnership”/, /Branded Content Policy/, 'Only me'],
    async walk({ page }) {
      await page.getByRole('checkbox', { name: /^Branded content/ }).check({ force: true });
      await privacy(page).click();
    },
  },
  {
    id: 'compose',
    title: 'The choices of the person (points 2 and 5)',
    record:
      'Turn the disclosure off, choose who can see the post, and allow comments. Edit the text once more.',
    expected: () => [postText, 'No problems found.'],
    async walk({ page }) {
      await page.keyboard.press('Escape');
      await page.getByRole('checkbox', { name: /^Disclose post content/ }).uncheck({ force: true });
      await privacy(page).click();
      await page.getByRole('option', { name: 'Everyone' }).click();
      await page.getByRole('checkbox', { name: /^Allow comments/ }).check({ force: true });
      await page.getByText('No problems found.').waitFor();
    },
  },
];

const profile: ReviewStep = {
  id: 'profile',
  title: 'The username of the account',
  feature: 'profile',
  record: 'Open the account: its username is what the permission for the profile is for.',
  expected: () => ['Username'],
  async walk({ page, panelUrl }) {
    await page.goto(`${panelUrl}/accounts`);
    await page.getByRole('main').locator('a[href^="/accounts/"]').first().click();
    await page.getByText('Username').first().waitFor();
  },
};

const drafts: ReviewStep = {
  id: 'draft',
  title: 'A draft in the inbox of the app',
  feature: 'drafts',
  record:
    'Choose “Only send it to the TikTok app” and publish. On the phone, open the notification and complete the post.',
  expected: ({ title }) => [`${title} has given no address.`],
  async walk(visit) {
    const { page } = visit;
    const postUrl = visit.postUrl;
    await write(visit);
    await page.getByRole('button', { name: 'More options' }).click();
    await page.getByRole('checkbox', { name: /^Only send it to the TikTok app/ }).check({ force: true });
    await send(visit, `${visit.title} has given no address.`);
    if (postUrl !== undefined) visit.postUrl = postUrl;
  },
};

const answerComments: ReviewStep = {
  id: 'answers',
  title: 'Answer comments',
  feature: 'messages',
  record:
    'Make an automation for the post. Comment on the post from another account, and show the reply below it and the message that arrives.',
  expected: () => ['Matched', 'Replied', 'Messaged'],
  async walk(visit) {
    const { page } = visit;
    await page.goto(visit.postUrl ?? '');
    await page.getByRole('link', { name: 'Answer its comments' }).first().click();
    await page.getByRole('textbox', { name: 'Keywords' }).fill('roast');
    await page.keyboard.press('Enter');
    await page.getByRole('textbox', { name: 'Reply' }).fill('It is in your messages!');
    await page.getByRole('textbox', { name: 'Message' }).fill('Here is the recipe.');
    await page.getByRole('button', { name: 'Create automation' }).click();
    await page.getByRole('heading', { name: 'What became of the comments' }).waitFor();
    await visit.act('comments', {
      postId: await visit.platformPostId(),
      username: 'reviewer.reads',
      text: 'Roast please!',
    });
    const counts = page.getByRole('list').filter({ hasText: 'Matched' }).first();
    await passUntil(visit, async () => {
      await page.reload();
      await counts.waitFor();
      return /Messaged\s*1/.test(await counts.innerText());
    });
  },
};

const login = [signIn, begin, introduction, consent, choose, connected];
const withdrawals = [deletion, disconnect];

/** The steps of each platform, in the order in which a reviewer takes them. */
export const reviewSteps: Readonly<Record<Platform, readonly ReviewStep[]>> = {
  facebook: [...login, compose(), publish, firstComment, numbers, ...withdrawals],
  instagram: [...login, compose(), publish, firstComment, answerComments, numbers, ...withdrawals],
  linkedin: [...login, compose(), publish, firstComment, numbers, disconnect],
  // Its numbers are not stored, so no page has them.
  pinterest: [...login, boards, publish, disconnect],
  threads: [...login, compose(), publish, firstComment, numbers, takeDown, ...withdrawals],
  tiktok: [...login, ...tiktokComposer, publish, drafts, profile, numbers, disconnect],
  youtube: [
    ...login,
    channelOptions,
    playlists,
    captions,
    publish,
    firstComment,
    numbers,
    takeDown,
    disconnect,
  ],
};

/** The features that the common steps of a platform demonstrate, besides those that have a step of their own. */
const shownAnyway: readonly Feature[] = ['publish', 'boards'];

/** Returns the steps for the requested features. */
export const stepsFor = (platform: Platform, features: readonly Feature[]): readonly ReviewStep[] =>
  reviewSteps[platform].filter(({ feature }) => feature === undefined || features.includes(feature));

/** Returns true if a step shows what the permissions of a feature are for. */
export const isDemonstrated = (platform: Platform, feature: Feature): boolean =>
  shownAnyway.includes(feature) || reviewSteps[platform].some((step) => step.feature === feature);
