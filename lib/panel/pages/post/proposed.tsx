import type { ReactNode } from 'react';
import { type Account, nameOf } from '../../accounts/account.ts';
import { PlatformMark } from '../../accounts/platform-mark.tsx';
import { platformTitles } from '../../accounts/platforms.ts';
import { Facts, Row, Stack } from '../../components/layout.tsx';
import { ExternalLink } from '../../components/link.tsx';
import { Time } from '../../components/time.tsx';
import { FileList } from '../../posts/files.tsx';
import type { Post, Target } from '../../posts/post.ts';
import { words } from '../../words/words.ts';
import classes from './proposed.module.css';

const texts = words.proposals;

type File = Post['mediaItems'][number];

export interface ProposedProps {
  post: Post;
  accounts: ReadonlyMap<string, Account> | undefined;
}

/**
 * All that a draft would publish, with nothing cut: a person decides about this, and whoever wrote it may want to hide something in
 * it.
 */
export function Proposed({ post, accounts }: ProposedProps) {
  const { content, mediaItems, coverUrl, platforms, chain } = post;
  return (
    <Stack gap={4}>
      <Part title={texts.content} content={content} files={mediaItems}>
        {coverUrl !== null && (
          <Facts of={{ [texts.cover]: <ExternalLink href={coverUrl}>{coverUrl}</ExternalLink> }} />
        )}
      </Part>
      {platforms.map((target) => (
        <Destination key={target.accountId} target={target} accounts={accounts} post={post} />
      ))}
      {chain.map((step, place) => {
        const kind = words.postPage.chain.kinds[step.kind];
        const when = words.postPage.chain.after(step.afterMinutes);
        return (
          <Part
            // biome-ignore lint/suspicious/noArrayIndexKey: steps have no other name
            key={place}
            title={texts.step(place + 1, kind, when)}
            content={step.content ?? texts.sameContent}
            files={step.mediaItems}
          >
            {step.accountIds.map((id) => (
              <div key={id}>
                <h4>
                  <bdi>{accountName(id, accounts)}</bdi>
                </h4>
                <Facts of={optionFacts(step.options[id] ?? {})} />
              </div>
            ))}
          </Part>
        );
      })}
    </Stack>
  );
}

const accountName = (id: string, accounts: ProposedProps['accounts']): string => {
  const account = accounts?.get(id);
  return account ? nameOf(account) : words.account.disconnected;
};

type Options = Readonly<Record<string, unknown>>;

interface ThreadPart {
  readonly content?: string;
  readonly mediaItems?: readonly File[];
}

function Destination({ target, accounts, post }: { target: Target } & ProposedProps) {
  const { accountId, platform, customContent, customMedia, scheduledFor, platformSpecificData } = target;
  const { thread = [], ...options } = platformSpecificData as Options & { thread?: readonly ThreadPart[] };
  const hasOwnTime = scheduledFor !== null && scheduledFor !== post.scheduledFor;
  return (
    <section className={classes.part}>
      <Row>
        <PlatformMark platform={platform} />
        <h3>
          <bdi>{accountName(accountId, accounts)}</bdi>, {platformTitles[platform]}
        </h3>
      </Row>
      {customContent === null && customMedia === null && <p>{texts.sameContent}</p>}
      {customContent !== null && <Whole title={texts.ownText} content={customContent} />}
      {customMedia !== null && (
        <Stack gap={1}>
          <h4>{texts.ownFiles}</h4>
          {customMedia.length === 0 ? <p>{texts.noFiles}</p> : <FileList files={customMedia} areLinks />}
        </Stack>
      )}
      {thread.map((part, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: parts have no other name
        <Stack key={place} gap={1}>
          <Whole title={texts.threadPart(place + 2)} content={part.content ?? ''} />
          <FileList files={part.mediaItems ?? []} areLinks />
        </Stack>
      ))}
      <Facts of={{ [texts.at]: hasOwnTime && <Time at={scheduledFor} />, ...optionFacts(options) }} />
    </section>
  );
}

/** Options by the names of the API, because not all of them have others. */
const optionFacts = (options: Options): Record<string, ReactNode> =>
  Object.fromEntries(
    Object.entries(options).map(([name, value]) => [
      name,
      <bdi key={name} className={classes.value}>
        {typeof value === 'string' ? value : JSON.stringify(value)}
      </bdi>,
    ]),
  );

interface PartProps {
  title: string;
  content: string;
  files: readonly File[];
  children?: ReactNode;
}

const Part = ({ title, content, files, children }: PartProps) => (
  <section className={classes.part}>
    <h3>{title}</h3>
    <Words content={content} />
    <FileList files={files} areLinks />
    {children}
  </section>
);

const Whole = ({ title, content }: { title: string; content: string }) => (
  <div>
    <h4>{title}</h4>
    <Words content={content} />
  </div>
);

const Words = ({ content }: { content: string }) =>
  content === '' ? (
    <p>{texts.noText}</p>
  ) : (
    <p dir="auto" className={classes.words}>
      {content}
    </p>
  );
