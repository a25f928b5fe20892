import { type ReactNode, useState } from 'react';
import { automationLimits } from '../../../../automations/limits.ts';
import { type Matching, matchesComment } from '../../../../automations/matching/match-comment.ts';
import { ownMentionLength } from '../../../../automations/matching/own-mention.ts';
import { linkAddress } from '../../../../links/codes.ts';
import { type Account, nameOf } from '../../../accounts/account.ts';
import { Icon } from '../../../components/icon.tsx';
import { Muted, Stack } from '../../../components/layout.tsx';
import { Status } from '../../../components/status.tsx';
import { TextField } from '../../../components/text-field.tsx';
import { words } from '../../../words/words.ts';
import { useMe } from '../../../workspace.tsx';
import { type Automation, isStartedByMessages } from '../automation.ts';
import { asSent } from './as-sent.ts';
import { findMatch, type Match } from './highlight.ts';
import classes from './phone.module.css';

const texts = words.automationsPage.preview;

interface PreviewProps {
  automation: Shown;
  account: Account | undefined;
}

/** A comment that is matched while somebody types it, and what it sets off. */
export function Preview({ automation, account }: PreviewProps) {
  const [typed, setTyped] = useState('');
  const matchesAll = isStartedByMessages(automation) ? texts.matchesAllReplies : texts.matchesAll;
  const sample = automation.keywords[0] ?? texts.sample;
  const comment = typed.trim() === '' ? sample : typed;
  const matching = { ...automation, keywords: [...automation.keywords] };
  const from = ownMentionLength(comment, account?.username ?? null);
  const match = findMatch(matching, comment, from);
  const isMatch = matchesComment(matching, comment.slice(from));
  return (
    <Stack as="section" gap={3} aria-label={texts.title}>
      <h2>{texts.title}</h2>
      <TextField
        label={isStartedByMessages(automation) ? texts.writing : texts.comment}
        help={texts.commentHelp}
        value={typed}
        onChange={setTyped}
        placeholder={sample}
        maxLength={automationLimits.commentCharacters}
      />
      <div role="status" className={classes.verdict}>
        {!isMatch ? (
          <Status tone="neutral" icon="cross">
            {texts.misses}
          </Status>
        ) : (
          <Status tone="good">{match ? texts.matches(match.keyword) : matchesAll}</Status>
        )}
      </div>
      <Phone automation={automation} account={account} comment={comment} />
      <Muted size="xs">{texts.about}</Muted>
    </Stack>
  );
}

/** The parts of an automation, saved or not, that a preview shows. */
export type Shown = Pick<
  Automation,
  'appliesTo' | 'commentReply' | 'dmMessage' | 'buttons' | 'followGate' | 'trackLinks'
> &
  Matching;

interface PhoneProps {
  automation: Shown;
  account: Account | undefined;
  comment: string;
}

/** The answers to a comment, as the person who wrote it sees them. */
function Phone({ automation, account, comment }: PhoneProps) {
  const { linkUrl } = useMe();
  const isByMessages = isStartedByMessages(automation);
  const matching = { ...automation, keywords: [...automation.keywords] };
  const from = ownMentionLength(comment, account?.username ?? null);
  const isMatch = matchesComment(matching, comment.slice(from));
  const match = findMatch(matching, comment, from);
  const name = account ? nameOf(account) : texts.you;
  const sent = (text: string) => asSent(text, automation, linkAddress(linkUrl, '…'));
  return (
    <section className={classes.phone} aria-label={texts.phone}>
      <div className={classes.screen}>
        <p className={classes.bar}>{isByMessages ? texts.messages : texts.comments}</p>
        <div className={classes.comments}>
          <Comment name={texts.person}>
            <Highlighted text={comment} match={match} />
          </Comment>
          {isMatch && automation.commentReply !== null && (
            <Comment name={name} isReply>
              <Written>{sent(automation.commentReply)}</Written>
            </Comment>
          )}
          {isMatch && !isByMessages && automation.commentReply === null && <Event>{texts.noReply}</Event>}
          {!isMatch && <Event>{texts.nothing}</Event>}
        </div>
        {isMatch && (
          <>
            {!isByMessages && <p className={classes.bar}>{texts.messages}</p>}
            <div className={classes.messages}>
              {automation.dmMessage === null ? (
                <Event>{texts.noMessage}</Event>
              ) : (
                <Messages automation={automation} dmMessage={automation.dmMessage} sent={sent} />
              )}
            </div>
          </>
        )}
      </div>
    </section>
  );
}

interface MessagesProps {
  automation: Shown;
  dmMessage: string;
  sent: (text: string) => string;
}

function Messages({ automation, dmMessage, sent }: MessagesProps) {
  const { followGate, buttons } = automation;
  const message = <Bubble text={sent(dmMessage)} buttons={buttons.map(({ title }) => title)} isLink />;
  if (followGate === null) return message;
  const { message: question, buttonLabel, notFollowingMessage } = followGate;
  if (isStartedByMessages(automation))
    return (
      <>
        <Event>{texts.notFollowing}</Event>
        <Bubble text={sent(notFollowingMessage)} buttons={[buttonLabel]} />
        <Event>{texts.following}</Event>
        {message}
      </>
    );
  const taps = texts.taps(buttonLabel.trim() || texts.empty);
  return (
    <>
      <Bubble text={sent(question)} buttons={[buttonLabel]} />
      <Event>
        {taps} {texts.refused}
      </Event>
      <Bubble text={sent(notFollowingMessage)} buttons={[buttonLabel]} />
      <Event>
        {taps} {texts.granted}
      </Event>
      {message}
    </>
  );
}

interface CommentProps {
  name: string;
  isReply?: boolean;
  children: ReactNode;
}

function Comment({ name, isReply, children }: CommentProps) {
  return (
    <div className={isReply ? classes.reply : classes.comment}>
      <span className={classes.face} aria-hidden="true">
        <Icon name={isReply ? 'accounts' : 'user'} size={14} />
      </span>
      <div className={classes.said}>
        <p className={classes.author}>
          <bdi>{name}</bdi> <span>{texts.now}</span>
        </p>
        <p className={classes.text}>{children}</p>
      </div>
    </div>
  );
}

interface BubbleProps {
  text: string;
  buttons: readonly string[];
  isLink?: boolean;
}

function Bubble({ text, buttons, isLink }: BubbleProps) {
  return (
    <div className={classes.bubble}>
      <p className={classes.text}>
        <Written>{text}</Written>
      </p>
      {buttons.length > 0 && (
        <ul className={classes.buttons}>
          {buttons.map((title, place) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: buttons may have the same title
            <li key={place}>
              <bdi>{title.trim() || texts.empty}</bdi>
              {isLink && <Icon name="external" size={12} />}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

const Event = ({ children }: { children: ReactNode }) => <p className={classes.event}>{children}</p>;

const address = /(https?:\/\/\S+)/;

/** A text with its addresses as apps show them. They lead nowhere here. */
function Written({ children }: { children: string }) {
  const parts = (children.trim() || texts.empty).split(address);
  return (
    <bdi>
      {parts.map((part, place) =>
        address.test(part) ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: parts have nothing else
          <span key={place} className={classes.address}>
            {part}
          </span>
        ) : (
          part
        ),
      )}
    </bdi>
  );
}

/** A comment with the part that matches marked. */
function Highlighted({ text, match }: { text: string; match: Match | undefined }) {
  if (match === undefined) return <bdi>{text}</bdi>;
  return (
    <bdi>
      {text.slice(0, match.start)}
      <mark className={classes.mark}>{text.slice(match.start, match.end)}</mark>
      {text.slice(match.end)}
    </bdi>
  );
}
