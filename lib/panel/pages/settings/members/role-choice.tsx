import { Radio, RadioGroup } from '../../../components/radio-group.tsx';
import { words } from '../../../words/words.ts';

export type Role = keyof typeof words.settingsPage.roles;

const roles = ['member', 'owner'] as const satisfies readonly Role[];

interface RoleChoiceProps {
  value: Role;
  onChange: (role: Role) => void;
}

/** The roles, each with what it allows. */
export function RoleChoice({ value, onChange }: RoleChoiceProps) {
  return (
    <RadioGroup
      name="role"
      label={words.settingsPage.members.role}
      value={value}
      onChange={(role) => onChange(role as Role)}
    >
      {roles.map((role) => (
        <Radio key={role} value={role} note={words.settingsPage.roles[role].note}>
          {words.settingsPage.roles[role].name}
        </Radio>
      ))}
    </RadioGroup>
  );
}
