import { useStore } from '../../api/store.ts';
import { Button } from '../../components/button.tsx';
import { Muted, Row, Stack } from '../../components/layout.tsx';
import { Radio, RadioGroup } from '../../components/radio-group.tsx';
import { Section } from '../../components/section.tsx';
import { Switch } from '../../components/switch.tsx';
import { commands, setSingleKeys, singleKeys } from '../../shortcuts.ts';
import { setTheme, type Theme, theme, themes } from '../../theme.ts';
import { words } from '../../words/words.ts';
import classes from './settings.module.css';

const texts = words.settingsPage.preferences;

/** Theme and keyboard of this browser. Both take effect at once. */
export default function PreferencesTab() {
  const shownTheme = useStore(theme);
  const isOn = useStore(singleKeys);
  const help = useStore(commands).find(({ keys }) => keys === '?');
  return (
    <Stack gap={6} className={classes.narrow}>
      <Muted size="m">{texts.lead}</Muted>
      <Section title={texts.appearance} isCard>
        <RadioGroup label={texts.theme} value={shownTheme} onChange={(choice) => setTheme(choice as Theme)}>
          {themes.map((each) => (
            <Radio key={each} value={each}>
              {words.shared.user.themes[each]}
            </Radio>
          ))}
        </RadioGroup>
      </Section>
      <Section title={texts.keyboard} isCard>
        <Switch isSelected={isOn} onChange={setSingleKeys} note={words.shared.keyboard.singleHelp}>
          {words.shared.keyboard.single}
        </Switch>
        {help && (
          <Row>
            <Button icon="keyboard" onPress={help.run}>
              {texts.showAll}
            </Button>
          </Row>
        )}
      </Section>
    </Stack>
  );
}
