import { OFFICE_ENDPOINTS } from '@brightpane/contract/office-endpoints';
import { seenVersion } from '../../lib/seen-version.ts';
import { ActDialog } from '../../ui/act/act-dialog.tsx';
import { useAct } from '../../ui/act/use-act.ts';
import { readStaffFields, StaffFields } from './staff-fields.tsx';
import { personName, type StaffMember } from './staff-member.ts';

/** What can be done about one person, below their row. */
export function StaffActions({ member }: { member: StaffMember }) {
  const act = useAct();
  const name = personName(member);
  const params = { staffId: member.staffId };
  const isOff = member.state === 'off';
  const switchTo = (active: boolean, words: string) =>
    act(OFFICE_ENDPOINTS.changeStaff, { params, body: { active }, stepUp: words });
  return (
    <div className="entry-actions">
      <ActDialog
        button="Change"
        buttonLabel={`Change ${name}`}
        title={`Change ${name}`}
        submit="Save"
        done={`What ${name} may do is saved.`}
        act={(form) =>
          act(OFFICE_ENDPOINTS.changeStaff, {
            params,
            body: readStaffFields(form),
            headers: seenVersion(member.version),
            stepUp: `Change what ${name} may do`,
          })
        }
      >
        {({ errors }) => (
          <>
            <StaffFields present={member.role} franchiseIds={member.franchiseIds} errors={errors} />
            <p className="quiet">A change ends all sessions of this person.</p>
          </>
        )}
      </ActDialog>
      {member.state === 'invited' && (
        <ActDialog
          button="Send a new link"
          buttonLabel={`Send a new link to ${name}`}
          title={`Send ${name} a new link?`}
          submit="Send a new link"
          done={`A new link goes to ${member.email}. The one before does not work any more.`}
          act={() =>
            act(OFFICE_ENDPOINTS.renewStaffLink, {
              params,
              body: {},
              once: `staff-link-${member.staffId}`,
              stepUp: `Send ${name} a new link`,
            })
          }
        >
          <p>The link before it will not work any more.</p>
        </ActDialog>
      )}
      {member.state === 'active' && (
        <ActDialog
          button="Reset factors"
          buttonLabel={`Reset factors of ${name}`}
          title={`Reset the factors of ${name}?`}
          submit="Reset factors"
          done={`The factors of ${name} are reset.`}
          isDanger
          act={() => act(OFFICE_ENDPOINTS.resetFactors, { params, stepUp: `Reset the factors of ${name}` })}
        >
          <p>
            Passkeys, app and recovery codes of this person stop working. At the next sign-in a link to add
            new ones is mailed.
          </p>
        </ActDialog>
      )}
      <ActDialog
        button={isOff ? 'Switch on' : 'Switch off'}
        buttonLabel={`Switch ${isOff ? 'on' : 'off'} ${name}`}
        title={`Switch ${isOff ? 'on' : 'off'} ${name}?`}
        submit={isOff ? 'Switch on' : 'Switch off'}
        done={`${name} is switched ${isOff ? 'on' : 'off'}.`}
        isDanger={!isOff}
        act={() => switchTo(isOff, `Switch ${isOff ? 'on' : 'off'} ${name}`)}
      >
        <p>{isOff ? 'This person may sign in again.' : 'All sessions of this person end now.'}</p>
      </ActDialog>
    </div>
  );
}
