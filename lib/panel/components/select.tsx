import { Button } from 'react-aria-components/Button';
import { ListBox } from 'react-aria-components/ListBox';
import { Popover } from 'react-aria-components/Popover';
import { Select as Base, type SelectProps as BaseProps, SelectValue } from 'react-aria-components/Select';
import { words } from '../words/words.ts';
import { join } from './classes.ts';
import field from './field.module.css';
import { FieldLabel, FieldNotes, type FieldTexts } from './field.tsx';
import { Icon } from './icon.tsx';
import { type Choice, Option } from './option.tsx';
import popover from './popover.module.css';
import classes from './select.module.css';

interface SelectProps
  extends Omit<BaseProps<Choice>, 'className' | 'style' | 'children' | 'selectionMode'>,
    FieldTexts {
  choices: readonly Choice[];
  isLabelHidden?: boolean | undefined;
}

/** One of a few choices. With more than about 15, use {@link ComboBox}. */
export function Select({ label, help, isOptional, choices, isLabelHidden, ...rest }: SelectProps) {
  return (
    <Base
      placeholder={words.shared.fields.choose}
      {...rest}
      {...(isLabelHidden && { 'aria-label': label })}
      className={field.field}
    >
      {!isLabelHidden && <FieldLabel label={label} isOptional={isOptional} />}
      <Button className={join(field.control, classes.button)}>
        <SelectValue className={classes.value}>
          {({ selectedText, defaultChildren, isPlaceholder }) =>
            isPlaceholder ? defaultChildren : selectedText
          }
        </SelectValue>
        <Icon name="chevronDown" />
      </Button>
      <FieldNotes help={help} />
      <Popover className={popover.popover} offset={4}>
        <ListBox className={popover.list} items={choices}>
          {(choice) => <Option {...choice} />}
        </ListBox>
      </Popover>
    </Base>
  );
}
