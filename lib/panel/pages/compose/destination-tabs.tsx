import { useState } from 'react';
import { Tab, TabList, Tabs } from 'react-aria-components/Tabs';
import type { Platform } from '../../../platforms/contract/names.ts';
import { type Account, kindOf } from '../../accounts/account.ts';
import { PlatformMark } from '../../accounts/platform-mark.tsx';
import { platformTitles } from '../../accounts/platforms.ts';
import { join } from '../../components/classes.ts';
import { DateTimeField } from '../../components/date-time-field.tsx';
import { Clipped, Muted, Stack } from '../../components/layout.tsx';
import { useLoaded } from '../../components/loaded.ts';
import baseClasses from '../../components/tabs.module.css';
import { TabContent } from '../../components/tabs.tsx';
import { TextArea } from '../../components/text-area.tsx';
import { TextField } from '../../components/text-field.tsx';
import textClasses from '../../components/texts.module.css';
import { Time } from '../../components/time.tsx';
import { VisuallyHidden } from '../../components/visually-hidden.tsx';
import { adaptedFiles } from '../../media/adapted.ts';
import { coverAddressOption, frameMsOf, ownCoverOptions, takesFrame } from '../../media/cover.ts';
import { FrameChoice } from '../../media/cover-section.tsx';
import { grid } from '../../media/media-editor.tsx';
import { wallClockOf } from '../../wall-clock.ts';
import { words } from '../../words/words.ts';
import { accountName, useComposing, useSame } from './context.ts';
import type { OwnCover as Cover } from './draft/actions.ts';
import { contentOf, type Destination, hasOwn, hasOwnCover, inheritsComment, mediaOf } from './draft/draft.ts';
import { allAccounts, countByTab, hasCoverField, hasTabs, keys } from './draft/places.ts';
import { instantText } from './draft/to-request.ts';
import classes from './fields.module.css';
import { AtField, Counters, InheritAgain, Inherited, Said, useSaid } from './fields.tsx';
import { DefaultOptions } from './options/default-options.tsx';
import { MentionFinder } from './options/mention-finder.tsx';
import { OptionFields } from './options/option-fields.tsx';
import { Files, InheritedFiles, SharedPanel } from './shared-panel.tsx';

interface DestinationTabsProps {
  selected: string;
  onSelect: (tab: string) => void;
}

/** The fields that all accounts share, and a tab for each account. With one account there is nothing to choose between. */
export function DestinationTabs({ selected, onSelect }: DestinationTabsProps) {
  const { draft, accounts, problems } = useComposing();
  const { destinations } = draft;
  const [tab, setTab] = useState<HTMLElement | null>(null);
  const counts = countByTab(problems);
  const tabs = useSame(
    destinations.map((each) => ({
      accountId: each.accountId,
      platform: each.platform,
      isOther: hasOwn(each),
      wrong: counts.get(each.accountId) ?? 0,
    })),
  );
  const [sole] = destinations;
  if (sole === undefined) return <SharedPanel />;
  if (!hasTabs(draft))
    return (
      <Stack gap={5}>
        <SharedPanel />
        <OwnOptions destination={sole} />
      </Stack>
    );
  const shown = destinations.find(({ accountId }) => accountId === selected);
  return (
    <div className={join(baseClasses.tabs, classes.tabs)}>
      <Strip
        tabs={tabs}
        accounts={accounts}
        selected={selected}
        problems={counts.get(allAccounts) ?? 0}
        onSelect={onSelect}
        onShown={setTab}
      />
      <TabContent key={selected} tab={tab}>
        {shown === undefined ? <SharedPanel /> : <AccountPanel destination={shown} />}
      </TabContent>
    </div>
  );
}

/** More names do not fit beside each other. */
const mostNamed = 2;

interface StripProps {
  tabs: readonly { accountId: string; platform: Platform; isOther: boolean; wrong: number }[];
  accounts: ReadonlyMap<string, Account>;
  selected: string;
  problems: number;
  onSelect: (tab: string) => void;
  onShown: (tab: HTMLElement | null) => void;
}

function Strip({ tabs, accounts, selected, problems, onSelect, onShown }: StripProps) {
  return (
    <Tabs selectedKey={selected} onSelectionChange={(key) => onSelect(String(key))}>
      <TabList className={join(baseClasses.list, classes.tabList)} aria-label={words.composer.tabs.label}>
        <Tab
          id={allAccounts}
          className={join(baseClasses.tab, classes.tab)}
          {...(selected === allAccounts && { ref: onShown })}
        >
          {words.composer.tabs.all}
          <Badge number={problems} />
        </Tab>
        {tabs.map(({ accountId, platform, isOther, wrong }) => {
          const name = accountName(accounts, accountId, platform);
          // Of many accounts, only the chosen one is named: so all are in sight.
          const isNamed = tabs.length <= mostNamed || accountId === selected;
          return (
            <Tab
              key={accountId}
              id={accountId}
              className={join(baseClasses.tab, classes.tab)}
              {...(accountId === selected && { ref: onShown })}
            >
              <span title={name}>
                <PlatformMark platform={platform} />
              </span>
              {isNamed ? (
                <span className={classes.tabName}>{name}</span>
              ) : (
                <VisuallyHidden>{name}</VisuallyHidden>
              )}
              {isOther && (
                <span className={classes.dot}>
                  <VisuallyHidden>{words.composer.tabs.differs}</VisuallyHidden>
                </span>
              )}
              <Badge number={wrong} />
            </Tab>
          );
        })}
      </TabList>
    </Tabs>
  );
}

function Badge({ number }: { number: number }) {
  if (number === 0) return null;
  return (
    <span className={classes.badge}>
      <span aria-hidden="true">{number}</span>
      <VisuallyHidden>{words.composer.tabs.problems(number)}</VisuallyHidden>
    </span>
  );
}

/** The fields of one account: its own, and what it inherits. */
function AccountPanel({ destination }: { destination: Destination }) {
  const { draft } = useComposing();
  return (
    <Stack gap={5}>
      <OwnText destination={destination} />
      <OwnFiles destination={destination} />
      <OwnShape destination={destination} />
      <OwnCover destination={destination} />
      <OwnOptions destination={destination} hasOwnCoverField={hasCoverField(draft, destination)} />
      <OwnTime destination={destination} />
    </Stack>
  );
}

interface Own {
  destination: Destination;
}

function OwnText({ destination }: Own) {
  const { draft, act } = useComposing();
  const { accountId, content } = destination;
  const key = keys.ownContent(accountId);
  const said = useSaid(key);
  const override = (content: string | undefined) => act({ do: 'override', accountId, changes: { content } });
  if (content === undefined)
    return (
      <Inherited
        label={words.composer.text.label}
        says={words.composer.text.inherited}
        action={words.composer.text.override}
        onOverride={() => override(draft.content)}
      >
        <Clipped as="p" lines={3}>
          {draft.content.trim() || words.composer.text.noText}
        </Clipped>
        <Counters draft={draft} destinations={[destination]} />
      </Inherited>
    );
  return (
    <AtField of={key} isTall>
      <TextArea
        label={words.composer.text.label}
        rows={6}
        value={content}
        onChange={override}
        {...said.field}
        help={said.help()}
      />
      <Counters draft={draft} destinations={[destination]} />
      <InheritAgain action={words.composer.text.inherit} onPress={() => override(undefined)} />
    </AtField>
  );
}

function OwnFiles({ destination: { accountId, platform, media } }: Own) {
  const { draft, act } = useComposing();
  const key = keys.ownMedia(accountId);
  const override = (media: Destination['media']) => act({ do: 'override', accountId, changes: { media } });
  if (media === undefined)
    return (
      <Inherited
        label={words.composer.files.label}
        says={words.composer.files.inherited}
        action={words.composer.files.override}
        onOverride={() => override(draft.media)}
      >
        <InheritedFiles value={draft.media} />
      </Inherited>
    );
  return (
    <div className={classes.atField}>
      <Files of={key} value={media} onChange={override} platforms={[platform]} />
      <InheritAgain action={words.composer.files.inherit} onPress={() => override(undefined)} />
    </div>
  );
}

const shapeTexts = words.fit.own;

/** The shape of pictures at one account, if it has any: as chosen for each file, until it has a choice of its own. */
function OwnShape({ destination }: Own) {
  const { draft, act, checked } = useComposing();
  const { accountId, media, shape } = destination;
  const [isOpened, setOpened] = useState(false);
  const loaded = useLoaded(grid, isOpened || shape !== undefined);
  const pictures = mediaOf(draft, destination).filter(
    ({ type, isDocument }) => type === 'image' && !isDocument,
  );
  const shown = pictures[0] ?? draft.cover;
  if (shown === undefined && shape === undefined) return null;
  const override = (shape: Destination['shape']) => act({ do: 'override', accountId, changes: { shape } });
  if (!isOpened && shape === undefined)
    return (
      <Inherited
        label={shapeTexts.label}
        says={shapeTexts.inherited}
        action={shapeTexts.override}
        onOverride={() => setOpened(true)}
      />
    );
  if (loaded === undefined) return null;
  return (
    <div className={classes.atField}>
      <loaded.ShapeFields
        label={shapeTexts.fieldLabel}
        file={shown}
        shape={shape ?? {}}
        adapted={adaptedFiles(checked).filter(
          (each) => each.accountId === accountId && each.original === shown?.url,
        )}
        noneLabel={shapeTexts.none}
        onChange={(next) => override(Object.keys(next).length === 0 ? undefined : next)}
      />
      {shape?.fit === 'crop' && pictures.length > 1 && <Muted>{shapeTexts.all(pictures.length)}</Muted>}
      {media !== undefined && <Muted>{shapeTexts.wins}</Muted>}
      <InheritAgain
        action={shapeTexts.inherit}
        onPress={() => {
          setOpened(false);
          override(undefined);
        }}
      />
    </div>
  );
}

/** The options of an account's platform. */
function OwnOptions({ destination, hasOwnCoverField = false }: Own & { hasOwnCoverField?: boolean }) {
  const { draft, act, accounts } = useComposing();
  const { accountId, platform, options } = destination;
  const account = accounts.get(accountId);
  const canMention = platform === 'linkedin' && account !== undefined && kindOf(account) === 'organization';
  // Other platforms would show the mention as it is written, so a shared text stays as it is.
  const mention = (found: string) => {
    const content = `${contentOf(draft, destination).trimEnd()} ${found} `.trimStart();
    const isShared = destination.content === undefined && draft.destinations.length === 1;
    act(isShared ? { do: 'write', content } : { do: 'override', accountId, changes: { content } });
  };
  return (
    <>
      <OptionFields
        accountId={accountId}
        platform={platform}
        content={contentOf(draft, destination)}
        media={mediaOf(draft, destination)}
        options={options}
        keyOf={(name) => keys.option(accountId, name)}
        onChange={(name, value) => act({ do: 'option', accountId, name, value })}
        {...(hasOwnCoverField && { omitted: ownCoverOptions(platform) })}
        {...(inheritsComment(destination) && { sharedComment: draft.firstComment })}
      />
      {canMention && <MentionFinder accountId={accountId} onFound={mention} />}
      <DefaultOptions destination={destination} />
    </>
  );
}

const coverTexts = words.composer.ownCover;

/** The cover of the video at one account, if its platform lets each post choose: a frame, or the address of an image. */
function OwnCover({ destination }: { destination: Destination }) {
  const { draft, act } = useComposing();
  const { accountId, platform, options } = destination;
  const [isOpened, setOpened] = useState(false);
  const [video] = mediaOf(draft, destination);
  const key = keys.ownCover(accountId);
  const name = coverAddressOption(platform);
  const said = useSaid(key);
  if (video === undefined || !hasCoverField(draft, destination)) return null;
  const given = name === undefined ? undefined : options[name];
  const address = typeof given === 'string' ? given : '';
  const change = (cover: Cover) => act({ do: 'ownCover', accountId, cover });
  const isOwn = isOpened || hasOwnCover(destination);
  // A platform that takes the shared image shows it, whatever frame is chosen.
  const isImageShared = draft.cover !== undefined && name === undefined && platform === 'instagram';
  if (!isOwn)
    return (
      <Inherited
        label={coverTexts.label}
        says={coverTexts.inherited}
        {...(!isImageShared && { action: coverTexts.override, onOverride: () => setOpened(true) })}
      >
        {isImageShared && <Muted>{coverTexts.imageWins}</Muted>}
        <Said of={key} />
      </Inherited>
    );
  return (
    <AtField of={key}>
      <p className={textClasses.label}>{coverTexts.label}</p>
      {takesFrame(platform) && address === '' && (
        <FrameChoice
          video={video}
          frameMs={frameMsOf(platform, options) ?? draft.frameMs}
          platforms={platformTitles[platform]}
          onChange={(frameMs) => change({ frameMs })}
        />
      )}
      {name !== undefined && (
        <TextField
          label={coverTexts.address}
          help={coverTexts.addressHelp}
          type="url"
          value={address}
          onChange={(typed) => change({ address: typed === '' ? undefined : typed })}
          {...said.field}
          autoComplete="off"
        />
      )}
      {isImageShared && <Muted>{coverTexts.imageWins}</Muted>}
      {name === undefined ? <Said of={key} /> : said.help()}
      <InheritAgain
        action={coverTexts.inherit}
        onPress={() => {
          setOpened(false);
          change({});
        }}
      />
    </AtField>
  );
}

const timeTexts = words.composer.ownTime;

/** The time of an account: that of the others, also if these are moved, until it has one of its own. */
function OwnTime({ destination: { accountId, time } }: { destination: Destination }) {
  const { draft, act } = useComposing();
  const { when, timezone } = draft;
  const key = keys.ownTime(accountId);
  const override = (time: Destination['time']) => act({ do: 'override', accountId, changes: { time } });
  if (time === undefined) {
    const at = when.kind === 'at' ? instantText(when.time, timezone) : undefined;
    return (
      <Inherited
        label={timeTexts.label}
        says={at === undefined ? timeTexts.inherited : timeTexts.inheritedAt}
        action={timeTexts.override}
        onOverride={() =>
          override(
            when.kind === 'at' && when.time !== undefined
              ? when.time
              : wallClockOf(new Date(Date.now() + 3_600_000), timezone),
          )
        }
      >
        {at === undefined ? (
          when.kind !== 'at' && <Muted>{words.composer.bar[when.kind]}</Muted>
        ) : (
          <p>
            <Time at={at} />
          </p>
        )}
      </Inherited>
    );
  }
  return (
    <AtField of={key}>
      <DateTimeField label={timeTexts.label} value={time} onChange={override} />
      <Said of={key} />
      <InheritAgain action={timeTexts.inherit} onPress={() => override(undefined)} />
    </AtField>
  );
}
