import type { listBoardsOperation, listSectionsOperation } from '../../../../accounts/boards/operations.ts';
import type { listPlaylistsOperation, readCreatorInfoOperation } from '../../../../accounts/operations.ts';
import { useGet } from '../../../api/hooks.ts';
import { Button } from '../../../components/button.tsx';
import { Checkbox } from '../../../components/checkbox.tsx';
import { ComboBox } from '../../../components/combo-box.tsx';
import { ErrorNotice } from '../../../components/error-notice.tsx';
import { Muted } from '../../../components/layout.tsx';
import { ExternalLink } from '../../../components/link.tsx';
import { Notice } from '../../../components/notice.tsx';
import { Radio, RadioGroup } from '../../../components/radio-group.tsx';
import { Select } from '../../../components/select.tsx';
import { words } from '../../../words/words.ts';
import { isTiktokDisclosure } from '../draft/draft.ts';
import { Said, useSaid } from '../fields.tsx';
import type { ControlProps, OptionFieldsProps, Special } from './control.ts';

const texts = words.options.tiktok;

/** Reads what TikTok wants to be asked before each post. It allows few questions, so each visit asks once. */
const useCreatorInfo = (accountId: string) =>
  useGet<typeof readCreatorInfoOperation>(
    '/v1/accounts/{id}/creator-info',
    { path: { id: accountId } },
    { refetchEveryMs: false },
  );

/** The name of the account, and TikTok's words about the post, as it requires of every composer. */
export function TiktokNote({ accountId, media, options }: OptionFieldsProps) {
  const { data, error } = useCreatorInfo(accountId);
  const { nickname, maxVideoSeconds } = data?.creatorInfo ?? {};
  const longest = Math.ceil(Math.max(0, ...media.map(({ durationMs = 0 }) => durationMs)) / 1_000);
  const isTooLong = typeof maxVideoSeconds === 'number' && longest > maxVideoSeconds;
  return (
    <>
      {nickname && <Muted>{texts.postsAs(nickname)}</Muted>}
      {error && !data && (
        <ErrorNotice error={error} title={texts.creatorUnknown}>
          <p>{error.message}</p>
        </ErrorNotice>
      )}
      {isTooLong && <Notice tone="bad">{texts.tooLong(longest, maxVideoSeconds)}</Notice>}
      {options['draft'] !== true && (
        <Muted>
          <Agreement isBranded={options['brandContentToggle'] === true} /> {texts.processing}
        </Muted>
      )}
    </>
  );
}

const legal = 'https://www.tiktok.com/legal/page/global';

/** The declaration in TikTok's own words. https://developers.tiktok.com/doc/content-sharing-guidelines */
function Agreement({ isBranded }: { isBranded: boolean }) {
  const { byPosting, branded, and, music } = texts.agreement;
  return (
    <>
      {byPosting}{' '}
      {isBranded && (
        <>
          <ExternalLink href={`${legal}/bc-policy/en`}>{branded}</ExternalLink> {and}{' '}
        </>
      )}
      <ExternalLink href={`${legal}/music-usage-confirmation/en`}>{music}</ExternalLink>.
    </>
  );
}

/**
 * The disclosure of commercial content: off, as TikTok requires, until a person turns it on. Then one of the two choices is needed. While
 * neither is ticked, the option is `false`.
 */
export function DisclosureControl({ control, options, value, onChange, of, set }: ControlProps<Special>) {
  const isOn = isTiktokDisclosure(options);
  const isBranded = options['brandContentToggle'] === true;
  const turn = (isSelected: boolean) => {
    set(isSelected ? false : undefined);
    onChange('brandContentToggle', undefined);
  };
  return (
    <>
      <Checkbox isSelected={isOn} onChange={turn} note={control.help}>
        {control.label}
      </Checkbox>
      <Said of={of} />
      {isOn && (
        <Checkbox isSelected={value === true} onChange={set} note={texts.yourBrand.help}>
          {texts.yourBrand.label}
        </Checkbox>
      )}
      {value === true && !isBranded && <Muted>{texts.labeled(false)}</Muted>}
    </>
  );
}

/** The second choice of the disclosure. Its label is the one that counts if both are ticked. */
export function BrandedControl({ control, options, value, onChange, of, set }: ControlProps<Special>) {
  const tick = (isSelected: boolean) => {
    set(isSelected || undefined);
    // The disclosure stays on.
    if (options['brandOrganicToggle'] === undefined) onChange('brandOrganicToggle', false);
  };
  return (
    <>
      <Checkbox isSelected={value === true} onChange={tick} note={control.help}>
        {control.label}
      </Checkbox>
      <Said of={of} />
      {value === true && <Muted>{texts.labeled(true)}</Muted>}
    </>
  );
}

/** Only the levels that TikTok offers the account; none is chosen beforehand, as TikTok requires. */
export function PrivacyLevelControl({ accountId, control, options, value, of, set }: ControlProps<Special>) {
  const said = useSaid(of);
  const { data } = useCreatorInfo(accountId);
  const given = textOf(value);
  const offered = data?.creatorInfo.privacyLevels ?? Object.keys(texts.privacyLevel.levels);
  const isBranded = options['brandContentToggle'] === true;
  const levels = [...offered, ...(given !== undefined && !offered.includes(given) ? [given] : [])];
  return (
    <Select
      label={control.label}
      placeholder={texts.privacyLevel.placeholder}
      help={said.help(isBranded && texts.privacyLevel.brandedNotPrivate)}
      choices={levels.map((id) => ({ id, name: texts.privacyLevel.levels[id] ?? id }))}
      disabledKeys={isBranded ? ['SELF_ONLY'] : []}
      value={given ?? null}
      onChange={(key) => set(key ?? undefined)}
      {...said.field}
    />
  );
}

const turnedOffBy = {
  disableComment: 'commentDisabled',
  disableDuet: 'duetDisabled',
  disableStitch: 'stitchDisabled',
} as const;

/** Something that people may do with the post. It is off unless it is ticked, as TikTok requires, and stays so if the account wants it. */
export function InteractionControl({
  accountId,
  name,
  control,
  value: given,
  of,
  set,
}: ControlProps<Special>) {
  const { data } = useCreatorInfo(accountId);
  const isOff =
    Object.hasOwn(turnedOffBy, name) &&
    data?.creatorInfo[turnedOffBy[name as keyof typeof turnedOffBy]] === true;
  const isAllowed = given === false;
  return (
    <>
      <Checkbox
        isSelected={isAllowed}
        isDisabled={isOff && !isAllowed}
        onChange={(isSelected) => set(isSelected ? false : undefined)}
        note={isOff ? texts.turnedOff : control.help}
      >
        {control.label}
      </Checkbox>
      <Said of={of} />
    </>
  );
}

/** Nothing is chosen beforehand: the law wants a person's answer. */
export function MadeForKidsControl({ control, value: given, of, set }: ControlProps<Special>) {
  const said = useSaid(of);
  const { no, yes } = words.options.youtube.madeForKids;
  return (
    <RadioGroup
      label={control.label}
      help={said.help(control.help)}
      value={typeof given === 'boolean' ? String(given) : null}
      onChange={(value) => set(value === 'true')}
      {...said.field}
    >
      <Radio value="false">{no}</Radio>
      <Radio value="true">{yes}</Radio>
    </RadioGroup>
  );
}

/** The channel's playlists, as YouTube has them now. */
export function PlaylistControl({ accountId, control, value, of, set }: ControlProps<Special>) {
  const said = useSaid(of);
  const { data, error, isPending } = useGet<typeof listPlaylistsOperation>(
    '/v1/accounts/{id}/playlists',
    { path: { id: accountId } },
    { refetchEveryMs: false },
  );
  const given = textOf(value);
  const playlists = data?.playlists ?? [];
  const isUnlisted = given !== undefined && !playlists.some(({ id }) => id === given);
  return (
    <>
      <Select
        label={control.label}
        help={said.help(isPending ? words.options.playlists.loading : control.help)}
        choices={[
          { id: none, name: words.options.youtube.playlistId.none },
          ...playlists.map(({ id, title }) => ({ id, name: title })),
          ...(isUnlisted ? [{ id: given, name: words.options.playlists.unlisted(given) }] : []),
        ]}
        value={given ?? none}
        onChange={(key) => set(key === none ? undefined : key)}
        {...said.field}
      />
      {error && !data && <ErrorNotice error={error} />}
    </>
  );
}

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;

/** The account's boards, as Pinterest has them now. With many, a person types a part of the name. */
export function BoardControl({ accountId, control, onChange, value, of, set }: ControlProps<Special>) {
  const said = useSaid(of);
  const { data, error, isPending, isFetching, refetch } = useGet<typeof listBoardsOperation>(
    '/v1/accounts/{id}/boards',
    { path: { id: accountId } },
    { refetchEveryMs: false },
  );
  const given = textOf(value);
  const boards = data?.boards ?? [];
  const isUnlisted = given !== undefined && !boards.some(({ id }) => id === given);
  const choices = [
    ...boards.map(({ id, name, privacy }) => ({
      id,
      name: privacy === 'SECRET' ? words.options.boards.secret(name) : name,
    })),
    ...(isUnlisted ? [{ id: given, name: words.options.boards.unlisted(given) }] : []),
  ];
  return (
    <>
      <ComboBox
        // Its text follows the name of the choice, which is only known once the boards are read.
        key={isPending ? 'pending' : 'ready'}
        label={control.label}
        help={said.help(
          isPending
            ? words.options.boards.loading
            : data && boards.length === 0 && words.options.pinterest.boardId.none,
        )}
        choices={choices}
        value={given ?? null}
        onChange={(key) => {
          set(key === null ? undefined : String(key));
          onChange('boardSectionId', undefined);
        }}
        isRequired
        isDisabled={isPending}
        {...said.field}
      />
      {error && !data && (
        <ErrorNotice error={error}>
          <p>{error.message}</p>
          <Button size="small" icon="refresh" isPending={isFetching} onPress={() => void refetch()}>
            {words.options.boards.again}
          </Button>
        </ErrorNotice>
      )}
    </>
  );
}

const none = 'none';

/** The sections of the chosen board. Without any, there is nothing to choose. */
export function BoardSectionControl({ accountId, control, options, value, of, set }: ControlProps<Special>) {
  const said = useSaid(of);
  const boardId = textOf(options['boardId']);
  const { data } = useGet<typeof listSectionsOperation>(
    '/v1/accounts/{id}/boards/{boardId}/sections',
    { path: { id: accountId, boardId: boardId ?? '' } },
    { refetchEveryMs: false, isEnabled: boardId !== undefined },
  );
  const given = textOf(value);
  const sections = data?.sections ?? [];
  if (given === undefined && (boardId === undefined || sections.length === 0)) return null;
  const isUnlisted = given !== undefined && !sections.some(({ id }) => id === given);
  return (
    <Select
      label={control.label}
      help={said.help()}
      choices={[
        { id: none, name: words.options.pinterest.boardSectionId.none },
        ...sections.map((section) => ({ id: section.id, name: section.name })),
        ...(isUnlisted ? [{ id: given, name: given }] : []),
      ]}
      value={given ?? none}
      onChange={(key) => set(key === none ? undefined : key)}
      {...said.field}
    />
  );
}
