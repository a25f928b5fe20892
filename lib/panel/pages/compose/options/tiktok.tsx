import type { readCreatorInfoOperation } from '../../../../accounts/operations.ts';
import { useGet } from '../../../api/hooks.ts';
import { Checkbox } from '../../../components/checkbox.tsx';
import { ErrorNotice } from '../../../components/error-notice.tsx';
import { Notice } from '../../../components/notice.tsx';
import { Select } from '../../../components/select.tsx';
import textClasses from '../../../components/texts.module.css';
import { words } from '../../../words/words.ts';
import { Said, useSaid } from '../parts/at-field.tsx';
import type { Special } from './control.ts';
import type { ControlProps, OptionFieldsProps } from './props.ts';

const texts = words.options.tiktok;

/** What TikTok wants to be asked before each post. It allows few questions, so each visit asks once. */
export const useCreatorInfo = (accountId: string) =>
  useGet<typeof readCreatorInfoOperation>(
    '/v1/accounts/{id}/creator-info',
    { path: { id: accountId } },
    { refetchEveryMs: false },
  );

/** Whose account it is, and what TikTok says about the post, as TikTok requires of every composer. */
export function TiktokNote({ accountId, media, options }: OptionFieldsProps) {
  const { data, error } = useCreatorInfo(accountId);
  const { nickname, maxVideoSeconds } = data?.creatorInfo ?? {};
  const longest = Math.ceil(Math.max(0, ...media.map(({ durationMs = 0 }) => durationMs)) / 1_000);
  const isTooLong = typeof maxVideoSeconds === 'number' && longest > maxVideoSeconds;
  return (
    <>
      {nickname && <p className={textClasses['minor']}>{texts.postsAs(nickname)}</p>}
      {error && !data && (
        <ErrorNotice error={error} title={texts.creatorUnknown}>
          <p>{error.message}</p>
        </ErrorNotice>
      )}
      {isTooLong && <Notice tone="bad">{texts.tooLong(longest, maxVideoSeconds)}</Notice>}
      {options['draft'] !== true && (
        <p className={textClasses['minor']}>{texts.agreement(options['brandContentToggle'] === true)}</p>
      )}
    </>
  );
}

/** Only the levels that TikTok offers the account; none is chosen beforehand, as TikTok requires. */
export function PrivacyLevelControl({
  accountId,
  name,
  control,
  options,
  keyOf,
  onChange,
}: ControlProps<Special>) {
  const said = useSaid(keyOf(name));
  const { data } = useCreatorInfo(accountId);
  const given = typeof options[name] === 'string' ? options[name] : undefined;
  const offered = data?.creatorInfo.privacyLevels ?? Object.keys(texts.privacyLevel.levels);
  const isBranded = options['brandContentToggle'] === true;
  const levels = [...offered, ...(given !== undefined && !offered.includes(given) ? [given] : [])];
  return (
    <Select
      label={control.label}
      placeholder={texts.privacyLevel.placeholder}
      help={
        <>
          {isBranded && texts.privacyLevel.brandedNotPrivate}
          {said.notes}
        </>
      }
      choices={levels.map((id) => ({ id, name: texts.privacyLevel.levels[id] ?? id }))}
      disabledKeys={isBranded ? ['SELF_ONLY'] : []}
      value={given ?? null}
      onChange={(key) => onChange(name, key ?? undefined)}
      validationBehavior="aria"
      validate={said.validate}
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
  options,
  keyOf,
  onChange,
}: ControlProps<Special>) {
  const { data } = useCreatorInfo(accountId);
  const isOff =
    Object.hasOwn(turnedOffBy, name) &&
    data?.creatorInfo[turnedOffBy[name as keyof typeof turnedOffBy]] === true;
  const isAllowed = options[name] === false;
  return (
    <>
      <Checkbox
        isSelected={isAllowed}
        isDisabled={isOff && !isAllowed}
        onChange={(isSelected) => onChange(name, isSelected ? false : undefined)}
        note={isOff ? texts.turnedOff : control.help}
      >
        {control.label}
      </Checkbox>
      <Said of={keyOf(name)} />
    </>
  );
}
