import { useNavigate } from '@tanstack/react-router';
import { useRef } from 'react';
import { Link } from 'react-aria-components/Link';
import { Cell, Column, Row, Table, TableBody, TableHeader } from 'react-aria-components/Table';
import { type Account, nameOf } from '../../accounts/account.ts';
import { PlatformMark } from '../../accounts/platform-mark.tsx';
import { platformTitles } from '../../accounts/platforms.ts';
import { useAccountsById } from '../../accounts/use-accounts.ts';
import { Checkbox } from '../../components/checkbox.tsx';
import { join } from '../../components/classes.ts';
import { Muted } from '../../components/layout.tsx';
import { Time } from '../../components/time.tsx';
import { VisuallyHidden } from '../../components/visually-hidden.tsx';
import { timesOf } from '../../posts/bulk.ts';
import { excerptOf, type ListedPost } from '../../posts/post.ts';
import { PostState } from '../../posts/post-parts.tsx';
import { conditionOfPost } from '../../posts/state.ts';
import { TagChips } from '../../posts/tag-chips.tsx';
import { useTags } from '../../posts/tags.ts';
import { Thumbnail } from '../../posts/thumbnail.tsx';
import { words } from '../../words/words.ts';
import { piecesAround } from './matches.ts';
import classes from './posts.module.css';

const texts = words.postsPage;

interface PostTableProps {
  posts: readonly ListedPost[];
  search: string;
  selected: ReadonlySet<string>;
  onSelect: (ids: ReadonlySet<string>) => void;
}

/** The posts as a table, on small screens as cards. Shift selects from the post that was selected before, also with a checkbox. */
export function PostTable({ posts, search, selected, onSelect }: PostTableProps) {
  const navigate = useNavigate();
  const accounts = useAccountsById();
  const tags = useTags();
  const hasShift = useRef(false);
  const anchor = useRef<string>(undefined);
  const select = (next: ReadonlySet<string>) => {
    const changed = posts.map(({ id }) => id).filter((id) => next.has(id) !== selected.has(id));
    const [only] = changed;
    const range =
      hasShift.current && changed.length === 1 && only !== undefined && next.has(only)
        ? between(posts, anchor.current, only)
        : [];
    hasShift.current = false;
    if (changed.length === 1) anchor.current = only;
    onSelect(new Set([...next, ...range]));
  };
  return (
    <div
      className={classes.frame}
      onPointerDownCapture={({ shiftKey }) => {
        hasShift.current = shiftKey;
      }}
      onKeyDownCapture={() => {
        hasShift.current = false;
      }}
    >
      <Table
        aria-label={texts.table}
        className={join(classes.table, tags !== undefined && classes.withTags)}
        selectionMode="multiple"
        selectedKeys={selected}
        onSelectionChange={(keys) =>
          select(new Set(keys === 'all' ? posts.map(({ id }) => id) : [...keys].map(String)))
        }
        onRowAction={(id) => void navigate({ to: '/posts/$id', params: { id: String(id) } })}
      >
        <TableHeader className={classes.head}>
          <Column className={classes.check}>
            <Checkbox slot="selection" aria-label={texts.selectAll}>
              <span className={classes.allWord}>{texts.selectAll}</span>
            </Checkbox>
          </Column>
          <Column className={classes.picture}>
            <VisuallyHidden>{texts.columns.picture}</VisuallyHidden>
          </Column>
          <Column className={classes.post} isRowHeader>
            {texts.columns.post}
          </Column>
          <Column className={classes.accounts}>{texts.columns.accounts}</Column>
          <Column className={classes.state}>{texts.columns.state}</Column>
          <Column className={classes.time}>{texts.columns.time}</Column>
          <Column className={classes.tags}>{texts.columns.tags}</Column>
        </TableHeader>
        <TableBody items={posts} dependencies={[search, accounts, tags]}>
          {(post) => {
            const name = words.moving.named(excerptOf(post, 40));
            return (
              <Row id={post.id} textValue={name} className={classes.row}>
                <Cell className={classes.check}>
                  <Checkbox slot="selection" aria-label={texts.select(name)}>
                    {null}
                  </Checkbox>
                </Cell>
                <Cell className={classes.picture}>
                  <Thumbnail post={post} />
                </Cell>
                <Cell className={classes.post}>
                  <Text post={post} search={search} />
                </Cell>
                <Cell className={classes.accounts}>
                  <Accounts post={post} accounts={accounts} />
                </Cell>
                <Cell className={classes.state}>
                  <PostState condition={conditionOfPost(post)} />
                </Cell>
                <Cell className={classes.time}>
                  <Times post={post} />
                </Cell>
                <Cell className={classes.tags}>
                  <TagChips names={post.tags} label={words.tags.title} />
                </Cell>
              </Row>
            );
          }}
        </TableBody>
      </Table>
    </div>
  );
}

/** Returns the ids from one post to another, in whatever order they are. */
function between(posts: readonly ListedPost[], one: string | undefined, other: string): string[] {
  const ids = posts.map(({ id }) => id);
  const places = [one === undefined ? -1 : ids.indexOf(one), ids.indexOf(other)];
  return places.includes(-1) ? [] : ids.slice(Math.min(...places), Math.max(...places) + 1);
}

function Text({ post, search }: { post: ListedPost; search: string }) {
  const pieces = search === '' ? undefined : piecesAround(post.content, search);
  return (
    <>
      {/* The link of React Aria, because a press on another one would also be one on the row. */}
      <Link href={`/posts/${post.id}`} className={classes.link}>
        <bdi>
          {pieces === undefined
            ? (excerptOf(post, 140) ?? words.post.noText)
            : pieces.map(({ text, isMatch }, place) =>
                // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of a text have no other name
                isMatch ? <mark key={place}>{text}</mark> : <span key={place}>{text}</span>,
              )}
        </bdi>
      </Link>
      {search !== '' && pieces === undefined && <Muted>{texts.foundElsewhere}</Muted>}
    </>
  );
}

const mostMarks = 4;

/** The platforms' marks, and the name of the first account. */
function Accounts({
  post,
  accounts,
}: {
  post: ListedPost;
  accounts: ReadonlyMap<string, Account> | undefined;
}) {
  const names = post.platforms.map(({ accountId, platform }) => {
    const account = accounts?.get(accountId);
    const name = account ? nameOf(account) : accounts === undefined ? '…' : words.account.disconnected;
    return { platform, name };
  });
  if (names.length === 0) return <Muted as="span">{texts.noAccount}</Muted>;
  const marks = [...new Set(names.map(({ platform }) => platform))];
  return (
    <>
      <span className={classes.marks} aria-hidden="true">
        {marks.slice(0, mostMarks).map((platform) => (
          <PlatformMark key={platform} platform={platform} size="small" />
        ))}
        {marks.length > mostMarks && (
          <span className={classes.more}>{texts.more(marks.length - mostMarks)}</span>
        )}
      </span>
      <span className={classes.accountName} aria-hidden="true">
        <bdi>{names[0]?.name}</bdi>
        {names.length > 1 && ` ${texts.more(names.length - 1)}`}
      </span>
      <VisuallyHidden>
        {names.map(({ name, platform }) => `${platformTitles[platform]}: ${name}`).join(', ')}
      </VisuallyHidden>
    </>
  );
}

/** The time of a post: the planned one, or else the one at which it went live. */
function Times({ post }: { post: ListedPost }) {
  const { at, others } = timesOf(post);
  const live = post.platforms.flatMap(({ publishedAt }) => publishedAt ?? []).toSorted()[0];
  const shown = at ?? [...others.values()].toSorted()[0] ?? live;
  if (shown === undefined) return <Muted as="span">{texts.untimed}</Muted>;
  return (
    <>
      <Time at={shown} />
      {others.size > 0 && at !== null && <Muted>{texts.ownTimes}</Muted>}
    </>
  );
}
