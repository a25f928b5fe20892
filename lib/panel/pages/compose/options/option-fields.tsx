import { useState } from 'react';
import { Button as BaseButton } from 'react-aria-components/Button';
import { platformTitles } from '../../../accounts/platforms.ts';
import { Icon } from '../../../components/icon.tsx';
import { IconButton } from '../../../components/icon-button.tsx';
import { Link } from '../../../components/link.tsx';
import textClasses from '../../../components/texts.module.css';
import { words } from '../../../words/words.ts';
import { AtField, Said } from '../parts/at-field.tsx';
import { useComposing } from '../parts/context.ts';
import type { Control } from './control.ts';
import { shownControls } from './controls.ts';
import { factsOf } from './facts.ts';
import { OptionControl } from './option-control.tsx';
import classes from './options.module.css';
import type { OptionFieldsProps } from './props.ts';
import { TiktokNote } from './tiktok.tsx';

/** The options of one account: what matters, then the rest on request, then what no control is for. */
export function OptionFields(props: OptionFieldsProps) {
  const { platform, media, options, keyOf, omitted } = props;
  const { problems, warnings } = useComposing();
  const { usual, rare, others } = shownControls(platform, factsOf(media, options), omitted);
  const isCalledFor = rare.some(
    ([name]) =>
      options[name] !== undefined ||
      [...problems, ...warnings].some(({ place }) => place.key === keyOf(name)),
  );
  const [isOpened, setIsOpened] = useState(false);
  const isOpen = isOpened || isCalledFor;
  if (usual.length + rare.length + others.length === 0) return null;
  return (
    <section className={classes['options']} aria-label={words.options.title(platformTitles[platform])}>
      <p className={classes['title']}>{words.options.title(platformTitles[platform])}</p>
      {platform === 'tiktok' && <TiktokNote {...props} />}
      {usual.map(([name, control]) => (
        <Field key={name} {...props} name={name} control={control} />
      ))}
      {rare.length > 0 && !isCalledFor && (
        <div>
          <BaseButton
            className={classes['disclosure'] as string}
            aria-expanded={isOpen}
            onPress={() => setIsOpened(!isOpen)}
          >
            <Icon name={isOpen ? 'chevronDown' : 'chevronRight'} />
            {words.options.more}
          </BaseButton>
        </div>
      )}
      {isOpen && rare.map(([name, control]) => <Field key={name} {...props} name={name} control={control} />)}
      {others.length > 0 && <Others {...props} names={others} />}
    </section>
  );
}

interface FieldProps extends OptionFieldsProps {
  name: string;
  control: Control;
}

function Field(props: FieldProps) {
  const { name, control, keyOf, accountId, options } = props;
  const { accounts } = useComposing();
  const account = accounts.get(accountId);
  const lacks =
    control.needs !== undefined && account !== undefined && !account.capabilities.includes(control.needs);
  // Whoever has not asked for it need not see it twice: `OptionControl` of what cannot work would only mislead.
  // A comment that all share it has, though: an account must be able to do without.
  const inherits = name === 'firstComment' && Boolean(props.sharedComment);
  if (lacks && options[name] === undefined && !inherits)
    return (
      <div className={classes['lacking']}>
        <p className={textClasses['label']}>{control.label}</p>
        <p className={textClasses['minor']}>
          {words.options.needsFeature(words.options.features[control.needs ?? ''] ?? control.label)}{' '}
          <Link to="/accounts/$id" params={{ id: accountId }}>
            {words.options.reconnect}
          </Link>
        </p>
        <Said of={keyOf(name)} />
      </div>
    );
  return (
    <AtField of={keyOf(name)}>
      <OptionControl {...props} />
    </AtField>
  );
}

/** What the API has set, and no control is for. */
function Others({ names, options, keyOf, onChange }: OptionFieldsProps & { names: readonly string[] }) {
  return (
    <div className={classes['others']}>
      <p className={textClasses['label']}>{words.options.others}</p>
      <p className={textClasses['minor']}>{words.options.othersHelp}</p>
      <ul>
        {names.map((name) => (
          <li key={name} id={`compose-${keyOf(name)}`}>
            <code>
              {name}: {JSON.stringify(options[name])}
            </code>
            <IconButton
              icon="cross"
              size="small"
              label={words.options.removeOther(name)}
              onPress={() => onChange(name, undefined)}
            />
            <Said of={keyOf(name)} />
          </li>
        ))}
      </ul>
    </div>
  );
}
