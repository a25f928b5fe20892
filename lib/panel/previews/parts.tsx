import { type ReactNode, useState } from 'react';
import type { Platform } from '../../platforms/contract/names.ts';
import { type Account, nameOf } from '../accounts/account.ts';
import { join } from '../components/classes.ts';
import { entriesOf, formatDuration, kindOf, type ShownMedia } from '../media/draft-media.ts';
import { Picture } from '../media/picture.tsx';
import { words } from '../words/words.ts';
import { altTextOf, shownRatio } from './format.ts';
import classes from './parts.module.css';
import { type FoldRule, fold, runsOf } from './texts.ts';

/** The account's picture is on a server of the platform, from which the panel loads nothing. */
export function Avatar({ account, isSquare }: { account: Account; isSquare?: boolean }) {
  const [letter = ''] = nameOf(account).replace(/^[^\p{L}\p{N}]+/u, '');
  return (
    <span className={join(classes.avatar, isSquare && classes.square)} aria-hidden="true">
      {letter.toLocaleUpperCase()}
    </span>
  );
}

/** The name that most platforms show above a post: the handle, without its sign. */
export const handleOf = (account: Account): string =>
  account.username === null ? nameOf(account) : nameOf({ ...account, displayName: null }).replace(/^@/, '');

interface AuthorProps {
  account: Account;
  name?: string;
  isLarge?: boolean;
  children?: ReactNode;
}

/** The author of a post, in one line. */
export function Author({ account, name = nameOf(account), isLarge, children }: AuthorProps) {
  return (
    <span className={join(classes.author, isLarge && classes.large)}>
      <Avatar account={account} />
      <bdi className={classes.name}>{name}</bdi>
      {children}
    </span>
  );
}

/** The sound of a video. */
export function Sound({ name = words.previews.sound }: { name?: string | undefined }) {
  return (
    <span className={classes.sound}>
      <Sign name="note" size={14} /> {name}
    </span>
  );
}

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
    <p className={join(classes.text, className)} dir="auto">
      {lead}
      {runsOf(shown, platform).map(({ kind, text: part }, place) =>
        kind === 'text' ? (
          part
        ) : (
          // biome-ignore lint/suspicious/noArrayIndexKey: the same part may be in a text twice
          <span key={place} className={classes.marked}>
            <bdi>{part}</bdi>
          </span>
        ),
      )}
      {isFolded && (
        <>
          {'… '}
          <button type="button" className={classes.more} onClick={() => setOpen(true)}>
            {more}
          </button>
        </>
      )}
    </p>
  );
}

interface ShotProps {
  media: ShownMedia;
  place: number;
  options: Readonly<Record<string, unknown>>;
  frameMs?: number | undefined;
  cover?: ShownMedia | undefined;
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
    <div className={classes.shot}>
      <Picture
        media={kind === 'video' && cover ? cover : media}
        frameMs={frameMs}
        isWhole={isWhole}
        alt={alt}
      />
      {kind === 'video' && (
        <>
          <span className={classes.play} aria-hidden="true">
            <Sign name="play" size={28} />
          </span>
          {hasLength && media.durationMs !== undefined && (
            <span className={classes.duration}>{formatDuration(media.durationMs)}</span>
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
    <div className={classes.pages} data-pages>
      <div className={classes.page} style={{ aspectRatio: ratio }}>
        {children(place)}
      </div>
      {count > 1 && hasCounter && (
        <span className={classes.counter}>{words.previews.place(place + 1, count)}</span>
      )}
      {place > 0 && (
        <button
          type="button"
          className={join(classes.turn, classes.back)}
          aria-label={words.previews.previous}
          onClick={() => setPlace(place - 1)}
        >
          <Sign name="down" size={16} />
        </button>
      )}
      {place < count - 1 && (
        <button
          type="button"
          className={join(classes.turn, classes.on)}
          aria-label={words.previews.next}
          onClick={() => setPlace(place + 1)}
        >
          <Sign name="down" size={16} />
        </button>
      )}
      {count > 1 && hasDots && (
        <span className={classes.dots} aria-hidden="true">
          {dots.slice(0, count).map((dot) => (
            <span key={dot} className={dot === Math.min(place, 9) ? classes.here : undefined} />
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
    <div className={classes.comment}>
      <p className={classes.commentTitle}>{words.previews.firstComment}</p>
      <RichText
        text={text}
        platform={platform}
        rule={{ characters: 140, lines: 3 }}
        lead={
          <b className={classes.who}>
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
    <div className={classes.card}>
      {children}
      <div className={classes.cardText}>
        <span className={classes.host}>{host}</span>
        {title && (
          <b className={classes.cardTitle} dir="auto">
            {title}
          </b>
        )}
        {description && (
          <span className={classes.cardDescription} dir="auto">
            {description}
          </span>
        )}
      </div>
    </div>
  );
}

interface CollageProps {
  media: readonly ShownMedia[];
  options: Readonly<Record<string, unknown>>;
  most: number;
  look: 'facebook' | 'linkedin';
}

/** Several photos at once, arranged by their number. */
export function Collage({ media, options, most, look }: CollageProps) {
  const [first] = media;
  if (first === undefined) return null;
  const shown = entriesOf(media).slice(0, most);
  const isAlone = media.length === 1;
  const ratio = isAlone ? shownRatio(first, { min: 0.8, max: 1.91, fallback: 1.25 }) : 1;
  return (
    <div
      className={join(classes.collage, classes[look], classes[`of${shown.length}`])}
      style={{ aspectRatio: ratio }}
    >
      {shown.map(({ id, place, file }) => (
        <div key={id} className={classes.part}>
          <Shot media={file} place={place} options={options} />
          {place === most - 1 && media.length > most && (
            <span className={classes.others}>{words.previews.others(media.length - most + 1)}</span>
          )}
        </div>
      ))}
    </div>
  );
}

interface PollProps {
  question?: string | undefined;
  choices: readonly string[];
  time: string;
}

/** The choices of a poll before anybody has voted. */
export function Poll({ question, choices, time }: PollProps) {
  return (
    <div className={classes.poll}>
      {question && (
        <b className={classes.question} dir="auto">
          {question}
        </b>
      )}
      <ul className={classes.choices}>
        {choices.map((choice, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: choices have nothing but their places
          <li key={place} dir="auto">
            {choice || ' '}
          </li>
        ))}
      </ul>
      <span className={classes.votes}>
        {words.previews.votes} · {words.previews.left(time)}
      </span>
    </div>
  );
}

/** The texts of a poll in a destination's options, as far as they are filled in. */
export function pollOf(options: Readonly<Record<string, unknown>>) {
  const poll = options['poll'];
  if (typeof poll !== 'object' || poll === null) return undefined;
  const { question, options: choices, duration } = poll as Readonly<Record<string, unknown>>;
  return {
    question: typeof question === 'string' ? question : undefined,
    choices: Array.isArray(choices) ? choices.map(String) : [],
    duration: typeof duration === 'string' ? duration : undefined,
  };
}

interface VerticalProps {
  children: ReactNode;
  top?: ReactNode;
  foot?: ReactNode;
  signs?: readonly SignName[];
}

/** A whole screen of a phone: reels, stories, Shorts and TikTok. It is dark in both themes. */
export function Vertical({ children, top, foot, signs = [] }: VerticalProps) {
  return (
    <div className={classes.screen}>
      <div className={classes.files}>{children}</div>
      {top && <div className={classes.top}>{top}</div>}
      {(foot || signs.length > 0) && (
        <div className={classes.bottom}>
          <div className={classes.foot}>{foot}</div>
          {signs.length > 0 && (
            <div className={classes.signs} aria-hidden="true">
              {signs.map((name) => (
                <Sign key={name} name={name} size={24} />
              ))}
            </div>
          )}
        </div>
      )}
    </div>
  );
}

interface FeedHeadProps {
  account: Account;
  isSquare?: boolean;
  when: string;
  className: string | undefined;
}

/** The author of a post, as feeds of professional and personal networks show it. */
export function FeedHead({ account, isSquare = false, when, className }: FeedHeadProps) {
  return (
    <div className={join(classes.head, className)}>
      <Avatar account={account} isSquare={isSquare} />
      <div className={classes.names}>
        <bdi className={classes.name}>{nameOf(account)}</bdi>
        <span className={classes.when}>
          {when} · <Sign name="globe" size={12} />
        </span>
      </div>
      <Sign name="dots" />
    </div>
  );
}

interface FeedActsProps {
  acts: readonly (readonly [SignName, string])[];
  className?: string | undefined;
}

/** The row of what people can do with the post. Nothing of it works here. */
export function FeedActs({ acts, className }: FeedActsProps) {
  return (
    <div className={join(classes.acts, className)} aria-hidden="true">
      {acts.map(([sign, name]) => (
        <span key={name}>
          <Sign name={sign} size={18} /> {name}
        </span>
      ))}
    </div>
  );
}

/** Our own drawings of what people do with posts, on 20 × 20. They are no logos, and say nothing that assistive technology would miss. */
const shapes = {
  heart: 'M10 16.5 3.9 10.6a3.8 3.8 0 0 1 5.4-5.4l.7.7.7-.7a3.8 3.8 0 0 1 5.4 5.4Z',
  bubble: 'M10 3.5a6.5 6.5 0 0 1 0 13 6.4 6.4 0 0 1-3-.75L3.5 16.5l.75-3.5A6.5 6.5 0 0 1 10 3.5Z',
  plane: 'M16.5 3.5 9 11M16.5 3.5 12 16.5 9 11 3.5 8Z',
  mark: 'M5.5 3.5h9v13L10 13l-4.500 3.500Z',
  thumb:
    'M3.5 9h2.750v7H3.5ZM6.25 9.500 9.250 3.500c1.500 0 2 1 1.750 2.250L10.500 8.250h4.750c1 0 1.500.75 1.250 1.750l-1.250 5c-.250.750-.75 1-1.500 1h-7.500',
  repeat: 'M5 9V6.500h9L12 4.250M15 11v2.500H6l2 2.250',
  share: 'M11 4.500 16.500 9.500 11 14.500v-3c-4 0-6 1-7.500 3.500.250-4.500 2.500-7 7.500-7.500Z',
  dots: 'M4.500 10h.01M10 10h.01M15.500 10h.01',
  globe:
    'M10 16.500a6.500 6.500 0 1 0 0-13 6.500 6.500 0 0 0 0 13ZM3.500 10h13M10 3.500c-4 4-4 9 0 13M10 3.500c4 4 4 9 0 13',
  note: 'M8 14.500a2 2 0 1 1-2-2 2 2 0 0 1 2 2ZM8 14.500V5l7-1.500v9M15 12.500a2 2 0 1 1-2-2 2 2 0 0 1 2 2Z',
  play: 'M7 4.500v11l8.500-5.500Z',
  down: 'm5 8 5 5 5-5',
} as const;

export type SignName = keyof typeof shapes;

export function Sign({ name, size = 20 }: { name: SignName; size?: number }) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 20 20"
      fill={name === 'play' ? 'currentColor' : 'none'}
      stroke="currentColor"
      strokeWidth={name === 'dots' ? 2.25 : 1.5}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      <path d={shapes[name]} />
    </svg>
  );
}
