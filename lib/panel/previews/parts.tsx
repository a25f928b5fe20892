import { type ReactNode, useState } from 'react';
import type { Platform } from '../../platforms/contract/names.ts';
import { type Account, nameOf } from '../accounts/account.ts';
import { join } from '../components/classes.ts';
import type { DraftMedia } from '../media/draft-media.ts';
import { formatDuration, kindOf } from '../media/facts.ts';
import { Picture } from '../media/picture.tsx';
import { words } from '../words/words.ts';
import { type FoldRule, fold } from './fold.ts';
import { altTextOf } from './format.ts';
import classes from './parts.module.css';
import { Sign } from './sign.tsx';
import { runsOf } from './text-runs.ts';

/** The account's picture is on a server of the platform, from which the panel loads nothing. */
export function Avatar({ account, isSquare }: { account: Account; isSquare?: boolean }) {
  const [letter = ''] = nameOf(account).replace(/^[^\p{L}\p{N}]+/u, '');
  return (
    <span className={join(classes['avatar'], isSquare && classes['square'])} aria-hidden="true">
      {letter.toLocaleUpperCase()}
    </span>
  );
}

/** The name that most platforms show above a post: the handle, without its sign. */
export const handleOf = (account: Account): string =>
  account.username === null ? nameOf(account) : nameOf({ ...account, displayName: null }).replace(/^@/, '');

interface RichTextProps {
  text: string;
  platform: Platform;
  rule?: FoldRule;
  more?: string;
  lead?: ReactNode;
  className?: string | undefined;
}

/** The post's text with what the platform marks in it, cut where the platform cuts it. */
export function RichText({
  text,
  platform,
  rule,
  more = words.previews.more,
  lead,
  className,
}: RichTextProps) {
  const [isOpen, setOpen] = useState(false);
  const { shown: kept, isFolded } =
    rule === undefined || isOpen ? { shown: text.trimEnd(), isFolded: false } : fold(text, rule);
  // The dots of the cut stand in for the end of a sentence.
  const shown = isFolded ? kept.replace(/[\s.,;:…]+$/u, '') : kept;
  if (shown === '' && lead === undefined) return null;
  return (
    <p className={join(classes['text'], className)} dir="auto">
      {lead}
      {runsOf(shown, platform).map(({ kind, text: part }, place) =>
        kind === 'text' ? (
          part
        ) : (
          // biome-ignore lint/suspicious/noArrayIndexKey: the same part may be in a text twice
          <span key={place} className={classes['marked']}>
            <bdi>{part}</bdi>
          </span>
        ),
      )}
      {isFolded && (
        <>
          {'… '}
          <button type="button" className={classes['more']} onClick={() => setOpen(true)}>
            {more}
          </button>
        </>
      )}
    </p>
  );
}

interface ShotProps {
  media: DraftMedia;
  place: number;
  options: Readonly<Record<string, unknown>>;
  frameMs?: number | undefined;
  cover?: DraftMedia | undefined;
  isWhole?: boolean;
  hasLength?: boolean;
}

/** A file of the post. What describes it to people is read to those who cannot see it. */
export function Shot({
  media,
  place,
  options,
  frameMs,
  cover,
  isWhole = false,
  hasLength = true,
}: ShotProps) {
  const kind = kindOf(media);
  const alt = altTextOf(media, place, options) ?? words.previews.file(kind, place + 1);
  return (
    <div className={classes['shot']}>
      <Picture
        media={kind === 'video' && cover ? cover : media}
        frameMs={frameMs}
        isWhole={isWhole}
        alt={alt}
      />
      {kind === 'video' && (
        <>
          <span className={classes['play']} aria-hidden="true">
            <Sign name="play" size={28} />
          </span>
          {hasLength && media.durationMs !== undefined && (
            <span className={classes['duration']}>{formatDuration(media.durationMs)}</span>
          )}
        </>
      )}
    </div>
  );
}

/** Platforms show no more of them. */
const dots = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9];

interface PagesProps {
  count: number;
  ratio: number;
  hasCounter?: boolean;
  hasDots?: boolean;
  children: (place: number) => ReactNode;
}

/** Several files, one at a time. */
export function Pages({ count, ratio, hasCounter, hasDots = true, children }: PagesProps) {
  const [chosen, setPlace] = useState(0);
  const place = Math.min(chosen, count - 1);
  return (
    <div className={classes['pages']} data-pages>
      <div className={classes['page']} style={{ aspectRatio: ratio }}>
        {children(place)}
      </div>
      {count > 1 && hasCounter && (
        <span className={classes['counter']}>{words.previews.place(place + 1, count)}</span>
      )}
      {place > 0 && (
        <button
          type="button"
          className={join(classes['turn'], classes['back'])}
          aria-label={words.previews.previous}
          onClick={() => setPlace(place - 1)}
        >
          <Sign name="down" size={16} />
        </button>
      )}
      {place < count - 1 && (
        <button
          type="button"
          className={join(classes['turn'], classes['on'])}
          aria-label={words.previews.next}
          onClick={() => setPlace(place + 1)}
        >
          <Sign name="down" size={16} />
        </button>
      )}
      {count > 1 && hasDots && (
        <span className={classes['dots']} aria-hidden="true">
          {dots.slice(0, count).map((dot) => (
            <span key={dot} className={dot === Math.min(place, 9) ? classes['here'] : undefined} />
          ))}
        </span>
      )}
    </div>
  );
}

/** The comment that the account writes itself, once the post is live. */
export function FirstComment({
  account,
  text,
  platform,
}: {
  account: Account;
  text: string;
  platform: Platform;
}) {
  return (
    <div className={classes['comment']}>
      <p className={classes['commentTitle']}>{words.previews.firstComment}</p>
      <RichText
        text={text}
        platform={platform}
        rule={{ characters: 140, lines: 3 }}
        lead={
          <b className={classes['who']}>
            <bdi>{handleOf(account)}</bdi>{' '}
          </b>
        }
      />
    </div>
  );
}

/** A link as a card: what the linked page says, only the platform reads. */
export function LinkCard({
  host,
  title,
  description,
  children,
}: {
  host: string;
  title?: string | undefined;
  description?: string | undefined;
  children?: ReactNode;
}) {
  return (
    <div className={classes['card']}>
      {children}
      <div className={classes['cardText']}>
        <span className={classes['host']}>{host}</span>
        {title && (
          <b className={classes['cardTitle']} dir="auto">
            {title}
          </b>
        )}
        {description && (
          <span className={classes['cardDescription']} dir="auto">
            {description}
          </span>
        )}
      </div>
    </div>
  );
}
