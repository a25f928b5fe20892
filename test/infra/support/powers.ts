import { platformNames } from '../../../lib/platforms/contract/names.ts';
import type { Partition } from '../../../lib/table/partitions.ts';
import { partitions } from '../../../lib/table/partitions.ts';
import { mayUseTable, type Statement } from './roles.ts';

/** The power of somebody who took over a function over any workspace, in the words of the threat model. */
export interface Powers {
  readonly reads: readonly string[];
  readonly changes: readonly string[];
  readonly others: readonly string[];
}

/** The threat model's name for a partition, and its worth to an attacker. */
interface Holding {
  readonly name: string;
  readonly shows: string;
  readonly changing: string;
}

const workspaces: Holding = {
  name: 'workspaces',
  shows: 'accounts, URLs of webhooks, names of API keys, limits; tokens and signing secrets are sealed',
  changing: 'could connect a foreign account, send events to another URL, lift limits, cut accounts off',
};
const posts: Holding = {
  name: 'posts',
  shows: 'drafts, schedules, content, results',
  changing: 'could publish another text at another time under the brand’s name, or stop posts',
};
const files: Holding = {
  name: 'files',
  shows: 'names, sizes and addresses of files, and the posts that use them',
  changing: 'could let other bytes be published, have files deleted, use up or lift quotas',
};
const logins: Holding = {
  name: 'logins',
  shows: 'attempts to connect an account; what a platform answered is sealed',
  changing: 'could have an account connected to another workspace while its owner connects it',
};
const owners: Holding = {
  name: 'owners of accounts',
  shows: 'which workspaces have which account of a platform',
  changing: 'could deliver a brand’s comments and messages to another workspace',
};
const members: Holding = {
  name: 'members',
  shows: 'the email addresses of members and of those who are invited',
  changing: 'could make anybody the owner of a workspace',
};
const people: Holding = {
  name: 'people',
  shows: 'which workspaces a person belongs to, and the sessions; their refresh tokens are sealed',
  changing: 'could act as any person, or in any workspace',
};
const deliveries: Holding = {
  name: 'events',
  shows: 'the content of webhook events, and how they were delivered',
  changing: 'could have a forged event signed and delivered',
};
const feed: Holding = {
  name: 'event feeds',
  shows: 'which events a workspace had, and when',
  changing: 'could hide events from readers of a feed, or make its end unusable',
};
const automations: Holding = {
  name: 'automations',
  shows: 'replies, links, and who was sent what',
  changing: 'could send other replies and messages to people who comment',
};
const pauses: Holding = {
  name: 'pauses',
  shows: 'what operators have paused, and why',
  changing: 'could stop publishing, or let it go on during an incident',
};

/** Every partition of the table. A new one needs a line here. */
export const holdings: Readonly<Record<Partition, Holding>> = {
  'WORKSPACE#': workspaces,
  DIRECTORY: {
    name: 'directory',
    shows: 'the names of all workspaces',
    changing: 'could hide a workspace from operators',
  },
  'OWNED#': {
    name: 'names of what a workspace owns',
    shows: 'which automations, tracked links and logins belong to a workspace',
    changing: 'could have those of another workspace erased with a workspace that is deleted',
  },
  'KEY#': {
    name: 'API keys',
    shows: 'which workspace a key belongs to, if its digest is known',
    changing: 'could make a key for any workspace',
  },
  'KEY-USE#': {
    name: 'uses of keys',
    shows: 'on which day a key was last used',
    changing: 'could make a key look used or unused',
  },
  'GRANT#': {
    name: 'tokens of clients',
    shows: 'which client has a grant, and digests of its tokens',
    changing: 'could give a client tokens for a grant that somebody gave it, within its limits',
  },
  'SEALING-KEYS': {
    name: 'sealing keys',
    shows: 'nothing: the data keys that seal tokens are sealed themselves',
    changing: 'could choose the key that seals tokens from then on, or make each token get its own',
  },
  'AUDIT#': {
    name: 'audit log',
    shows: 'who changed what, and when',
    changing: 'could add false entries, or overwrite an entry by its id',
  },
  'MEMBERS#': members,
  'INVITED#': members,
  'PERSON#': people,
  'SESSION#': people,
  'SESSION-USE#': {
    name: 'uses of sessions',
    shows: 'when a session was last used',
    changing: 'could keep a session from ending by itself before its seven days are over',
  },
  'SIGN-IN#': {
    name: 'sign-ins',
    shows: 'sign-ins under way, if the digest of their cookie is known',
    changing: 'could let a browser finish a sign-in that another has begun',
  },
  'CONNECTION#': logins,
  'PLATFORM#': owners,
  'LOGIN#': owners,
  'POST#': posts,
  'CALENDAR#': {
    name: 'calendars',
    shows: 'when posts are planned, and rhythms',
    changing: 'could move automatic slots and let posts collide',
  },
  'APP-DAY#': {
    name: 'daily counts',
    shows: 'how many posts each workspace has planned per day and platform',
    changing: 'could make posts of others wait for another day, or use up the day of an app',
  },
  'LIVE#': {
    name: 'live posts',
    shows: 'which post is behind an id of a platform',
    changing: 'could make the lookup after a lost response conclude wrongly',
  },
  'IDEMPOTENCY#': {
    name: 'idempotency records',
    shows: 'which request made which post',
    changing: 'could make a repeated request create a second post, or none',
  },
  'EXTERNAL#': {
    name: 'external ids',
    shows: 'which posts have the same external id, which itself is only there as a digest',
    changing: 'could hide posts from their external id, or let two posts claim the same one',
  },
  'MEDIA#': files,
  'USES#': files,
  'RENDITIONS#': {
    name: 'renditions',
    shows: 'which files are converted for platforms, and how',
    changing:
      'could let other bytes be published in place of a file that is converted, or keep one from being published',
  },
  'RATE#': {
    name: 'request counters',
    shows: 'which addresses, API keys and workspaces call how often',
    changing: 'could lift the rate limits, or refuse an address, an API key or a workspace',
  },
  'CHORE#': {
    name: 'repair tasks',
    shows: 'which posts wait for a repair',
    changing: 'could free a planned time or claim a live post for another post',
  },
  'EVENT#': deliveries,
  'DELIVERIES#': deliveries,
  'FEED-HEAD#': feed,
  'FEED#': feed,
  'REPLAY#': feed,
  'AUTOMATIONS#': automations,
  'AUTOMATION-POST#': automations,
  'AUTOMATION#': automations,
  'INBOUND#': {
    name: 'comments and messages',
    shows: 'what people wrote to a brand, with their names',
    changing: 'could invent comments',
  },
  'PRIVATE-REPLIES#': {
    name: 'caps of private replies',
    shows: 'how many private replies an account has sent in the last hour',
    changing: 'could lift the cap of private replies per hour, or stop them',
  },
  'SENT#': {
    name: 'claims of what was sent',
    shows: 'which automation sent a reply or message, and to whom, if its id at the platform is known',
    changing: 'could make the lookup after a lost response conclude wrongly',
  },
  'LINK#': {
    name: 'links',
    shows: 'where a tracked link leads',
    changing: 'could send everybody who follows a link elsewhere',
  },
  'WITHDRAWAL#': {
    name: 'withdrawals',
    shows: 'who has just removed the app at a Meta platform, if the confirmation code is known',
    changing: 'could cut a person’s accounts off and delete what people wrote to them',
  },
  VERSIONS: {
    name: 'walks of version notices',
    shows: 'which workspaces were looked at for notices that a version ends',
    changing: 'could keep workspaces from such notices',
  },
  WATCH: {
    name: 'watch of platforms',
    shows: 'which posts of any workspace a platform does not take at present, and why',
    changing: 'could announce an outage of a platform, or hide one',
  },
  'RISKS#': {
    name: 'posts at risk',
    shows: 'which posts will probably fail, and what platforms have said about their accounts',
    changing:
      'could hide a post at risk from its list, announce a risk that is none, or have posts checked again',
  },
  'STAGE-RISKS': {
    name: 'places of checks ahead',
    shows: 'up to which time posts were checked, and ids of posts among the last ones',
    changing: 'could keep posts from being checked ahead, or have all be checked again',
  },
  'SEARCH#': {
    name: 'words of posts',
    shows: 'which words are in which post',
    changing: 'could hide posts from searches, or have them found by other words',
  },
  'WORDS#': {
    name: 'posts by word',
    shows: 'which words are in which post',
    changing: 'could hide posts from searches',
  },
  'CLICKS#': { name: 'clicks', shows: 'how often a link was followed', changing: 'could falsify counts' },
  'PUNCTUALITY#': {
    name: 'punctuality',
    shows: 'how late posts went live',
    changing: 'could falsify these figures',
  },
  'NUMBERS#': {
    name: 'numbers of posts',
    shows: 'how often posts were seen, liked and shared',
    changing: 'could falsify these numbers',
  },
  'ACCOUNT-NUMBERS#': {
    name: 'numbers of accounts',
    shows: 'how many followers and views an account has, by day',
    changing: 'could falsify these numbers',
  },
  'NUMBERS-PROGRESS': {
    name: 'progress of reading numbers',
    shows: 'up to which time numbers were read',
    changing: 'could keep numbers from being read',
  },
  'PAUSE#': pauses,
  PAUSES: pauses,
};

/** Powers outside the table, with what they are worth to an attacker. */
export const otherPowers: Readonly<Record<string, string>> = {
  'open tokens': 'with the sealed tokens of an account: could post, reply and read as that account',
  'open signing secrets': 'with a sealed signing secret: could sign events of ours',
  'open choices': 'with the sealed answer of a login: could act as its accounts until they are connected',
  'open sessions’ refresh tokens':
    'with the sealed token of a session, and the client’s secret: could get tokens of the issuer in the name of that person',
  'seal tokens': 'could prepare tokens of the attacker’s account for a workspace',
  'seal signing secrets': 'could prepare a signing secret that the attacker knows',
  'seal choices': 'could prepare accounts for somebody to choose',
  'seal sessions’ refresh tokens': 'could keep a session from being checked about its own person',
  'read app secrets': 'could log in as our app at these platforms, and forge their webhooks',
  'read the sign-in secret':
    'could redeem a code of the issuer, which also needs the verifier of that sign-in',
  'see all changes': 'reads the table’s stream: every item that is written, as it is stored',
  'send publish messages': 'could wake workers; they act only on what the table says is due',
  'send upload messages': 'the same for the workers that send files',
  'send distant wake messages':
    'could have schedules created and deleted: send publish messages, later too, and delay posts by up to a minute',
  'send render media messages':
    'could wake the worker that converts files, which acts only on what the table says',
  'send import messages': 'could wake the worker that fetches files, which acts only on what the table says',
  'abort uploads': 'could delay an import or an upload in parts: what it aborts is fetched or sent again',
  'list parts': 'could see the sizes of the parts of an upload whose id it knows',
  'send chain messages': 'could wake the worker of chains, which acts only on what the table says',
  'send slow webhook messages': 'could wake the worker of slow webhooks, which sends only stored events',
  'send webhook messages': 'could wake the worker of webhooks, which sends only stored events',
  'send inbound messages': 'could invent comments and messages of people; only these messages carry content',
  'send automation messages': 'could wake the worker of automations, which acts only on what the table says',
  'send dead letters': 'could hide failures among invented ones',
  'take messages':
    'could lose messages of its own queue; sweeps find the work again, except incoming webhooks and uploads that have just arrived',
  'create schedules': 'could send publish messages, later too',
  'delete schedules': 'could delay posts by up to a minute, until the sweep finds them',
  'read objects': 'could download every file there',
  'write objects':
    'could replace every file there, and fill the bucket; platforms fetch what is under `media/`',
  'delete objects': 'could delete every file there',
  'clear the CDN': 'could make files slower and dearer to serve',
  'admit users':
    'could let any email address sign in, which alone shows nothing: only an invitation makes a member',
};

/**
 * Returns the power of a role with these statements over any workspace. Rights have no workspace in them, because one function
 * serves all workspaces: a right on a partition is one on those of every workspace.
 */
export function powersOf(statements: readonly Statement[]): Powers {
  const named = (actions: readonly string[]) =>
    distinct(
      partitions.flatMap((prefix) =>
        actions.some((action) => mayUseTable(statements, action, [`${prefix}x`]))
          ? holdings[prefix].name
          : [],
      ),
    );
  const allowed = statements.filter(({ effect }) => effect === 'Allow');
  return {
    reads: distinct([
      ...named(['GetItem', 'BatchGetItem', 'Query', 'ConditionCheckItem']),
      ...allowed.flatMap(({ resources }) => resources.flatMap(ofIndex)),
    ]),
    changes: named(['PutItem', 'UpdateItem', 'DeleteItem', 'BatchWriteItem']),
    others: distinct(
      allowed.flatMap((statement) => statement.actions.flatMap((action) => otherPower(action, statement))),
    ),
  };
}

/** The index `overdue` has only keys, which lead nowhere without a right on the table. */
function ofIndex(resource: string): string[] {
  const index = resource.split('/index/')[1];
  return index === undefined || index === 'overdue' ? [] : [posts.name];
}

const purposes: Readonly<Record<string, string>> = {
  tokens: 'tokens',
  choice: 'choices',
  signing: 'signing secrets',
  session: 'sessions’ refresh tokens',
};

/** @throws Error for an action that the threat model has no words for */
function otherPower(action: string, { resources, condition }: Statement): string[] {
  const purpose = purposes[String(condition?.['StringEquals']?.['kms:EncryptionContext:purpose'])];
  switch (action) {
    case 'kms:Decrypt':
      return [`open ${purpose}`];
    case 'kms:GenerateDataKey':
      return [`seal ${purpose}`];
    case 'ssm:GetParameter':
      // The panel's address is no secret.
      if (resources.every((arn) => arn.endsWith('/panel-url'))) return [];
      return resources.some((arn) => arn.endsWith('/sign-in'))
        ? ['read the sign-in secret']
        : [`read app secrets (${platformsIn(resources)})`];
    case 'dynamodb:GetRecords':
      return ['see all changes'];
    case 'sqs:SendMessage':
      return resources.map(messagesTo);
    case 'sqs:ReceiveMessage':
      return ['take messages'];
    case 'scheduler:CreateSchedule':
      return ['create schedules'];
    case 'scheduler:DeleteSchedule':
      return ['delete schedules'];
    case 's3:GetObject':
      return resources.map((arn) => `read objects (${prefixIn(arn)})`);
    case 's3:PutObject':
      return resources.map((arn) => `write objects (${prefixIn(arn)})`);
    case 's3:AbortMultipartUpload':
      return resources.map((arn) => `abort uploads (${prefixIn(arn)})`);
    case 's3:ListMultipartUploadParts':
      return resources.map((arn) => `list parts (${prefixIn(arn)})`);
    case 's3:DeleteObject':
      return resources.map((arn) => `delete objects (${prefixIn(arn)})`);
    case 'cloudfront:CreateInvalidation':
      return ['clear the CDN'];
    case 'cognito-idp:AdminCreateUser':
      return ['admit users'];
    default:
      if (harmless.test(action)) return [];
      throw new Error(`describe ${action} in test/infra/support/powers.ts`);
  }
}

/** Rights on the table are described by partition. The others come with a right that is described, or show no tenant's data. */
const harmless =
  /^(dynamodb:|logs:|iam:PassRole$|s3:ListBucket$|sqs:(ChangeMessageVisibility|DeleteMessage|GetQueueAttributes)$)/;

/** The platforms whose parameters these are, or `all`. */
const platformsIn = (resources: readonly string[]): string =>
  resources.length === platformNames.length
    ? 'all'
    : resources.map((arn) => arn.split('/').at(-1)).join(', ');

/** `media/` for `<MediaBucket.Arn>/media/*`. */
const prefixIn = (resource: string): string => `\`${resource.replace(/^<[^>]*>\/|\*$/g, '')}\``;

function messagesTo(resource: string): string {
  if (/dead-?letters/i.test(resource)) return 'send dead letters';
  const words = resource.replace(/^<|Queue.*$/g, '').replaceAll(/(?<=[a-z])[A-Z]/g, ' $&');
  return `send ${words.toLowerCase()} messages`;
}

const distinct = (names: readonly string[]): string[] => [...new Set(names)].sort();
