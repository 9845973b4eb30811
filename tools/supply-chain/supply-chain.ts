import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { askForAdvisories } from './advisories.ts';
import { checkLicenses, countLicenses } from './check-licenses.ts';
import { checkLockfile } from './check-lockfile.ts';
import { checkPins } from './check-pins.ts';
import { ownFolders, readLockfile, readManifest } from './lockfile.ts';
import { makeSbom } from './sbom.ts';

// `npm run supply-chain`: checks what the product is made of.
//   -- --sbom FILE            writes the bill of materials
//   -- --require-advisories   fails if no registry could be asked about vulnerabilities

const { values } = parseArgs({
  options: { sbom: { type: 'string' }, 'require-advisories': { type: 'boolean', default: false } },
});

const say = (line: string) => process.stdout.write(`${line}\n`);
const lockfile = readLockfile();
const manifests = ownFolders(lockfile).map((folder) => ({ folder, manifest: readManifest(folder) }));

const faults = [
  ...checkLockfile(lockfile, readManifest()),
  ...checkPins(lockfile, manifests),
  ...checkLicenses(lockfile),
];
say(
  `licenses: ${countLicenses(lockfile)
    .map(([license, packages]) => `${license} ${packages}`)
    .join(', ')}`,
);

const sbom = makeSbom();
if (values.sbom) writeFileSync(values.sbom, sbom.json);
say(`bill of materials: ${sbom.components} components${values.sbom ? `, in ${values.sbom}` : ''}`);

const advisories = askForAdvisories();
if (advisories.isAnswered) {
  faults.push(...advisories.found);
  say(`known weaknesses, high and critical: ${advisories.found.length}`);
} else {
  say(`known weaknesses: NOT CHECKED, ${advisories.reason}`);
  if (values['require-advisories']) faults.push('nobody could be asked about known weaknesses');
}

for (const fault of faults) say(`  - ${fault}`);
say(faults.length === 0 ? 'nothing is wrong with what is locked' : `${faults.length} faults`);
if (faults.length > 0) process.exitCode = 1;
