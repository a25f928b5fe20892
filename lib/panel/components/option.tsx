import { ListBoxItem } from 'react-aria-components/ListBox';
import { Text } from 'react-aria-components/Text';
import { Icon, type IconName } from './icon.tsx';
import classes from './popover.module.css';

/** One of the choices of a select or combo box. */
export interface Choice {
  readonly id: string;
  readonly name: string;
  readonly note?: string | undefined;
  readonly icon?: IconName | undefined;
}

export function Option({ id, name, note, icon }: Choice) {
  return (
    <ListBoxItem id={id} textValue={name} className={classes['item'] as string}>
      {({ isSelected }) => (
        <>
          {icon && <Icon name={icon} />}
          <Text slot="label" className={classes['text'] as string}>
            {name}
          </Text>
          {note && (
            <Text slot="description" className={classes['note'] as string}>
              {note}
            </Text>
          )}
          {isSelected && (
            <span className={classes['check']}>
              <Icon name="check" />
            </span>
          )}
        </>
      )}
    </ListBoxItem>
  );
}
