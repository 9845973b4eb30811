import { execFileSync } from 'node:child_process';

/** The machines of a cluster, all simulated on this one. */
export type Network = {
  addressOf(machine: Machine): string;
  /** The command prefix that starts a program on a machine. */
  entry(machine: DataMachine): string[];
  /** Whether a machine's link can be cut. */
  canCut: boolean;
  cut(machine: DataMachine): void;
  mend(machine: DataMachine): void;
  close(): void;
};

export const DATA_MACHINES = ['db1', 'db2', 'db3'] as const;
export const ETCD_MACHINES = ['etcd1', 'etcd2', 'etcd3'] as const;

export type DataMachine = (typeof DATA_MACHINES)[number];
export type Machine = DataMachine | (typeof ETCD_MACHINES)[number] | 'haproxy';

const HOSTS: Record<Machine, number> = {
  haproxy: 10,
  db1: 11,
  db2: 12,
  db3: 13,
  etcd1: 21,
  etcd2: 22,
  etcd3: 23,
};

/** Root gives each data node a network that can be cut; anybody else uses loopback for all. */
export function openNetwork(): Network {
  return mayCut() ? openNamespaces() : loopback;
}

export const mayCut = () => process.getuid?.() === 0 && isThere('ip');

const loopback: Network = {
  addressOf: (machine) => `127.0.0.${HOSTS[machine]}`,
  entry: () => [],
  canCut: false,
  cut() {
    throw new Error('a link on loopback cannot be cut');
  },
  mend() {},
  close() {},
};

const BRIDGE = 'bp-prove';
const NETWORK = '10.83.0';

function openNamespaces(): Network {
  const addressOf = (machine: Machine) => `${NETWORK}.${HOSTS[machine]}`;
  removeAll();
  ip(`link add ${BRIDGE} type bridge`);
  ip(`link set ${BRIDGE} up`);
  for (const machine of [...ETCD_MACHINES, 'haproxy'] as const) {
    ip(`addr add ${addressOf(machine)}/24 dev ${BRIDGE}`);
  }
  for (const machine of DATA_MACHINES) {
    const inside = namespaceOf(machine);
    ip(`netns add ${inside}`);
    ip(`link add ${linkOf(machine)} type veth peer name eth0 netns ${inside}`);
    ip(`link set ${linkOf(machine)} master ${BRIDGE} up`);
    ip(`-n ${inside} addr add ${addressOf(machine)}/24 dev eth0`);
    ip(`-n ${inside} link set eth0 up`);
    ip(`-n ${inside} link set lo up`);
  }
  return {
    addressOf,
    entry: (machine) => ['ip', 'netns', 'exec', namespaceOf(machine)],
    canCut: true,
    cut: (machine) => ip(`link set ${linkOf(machine)} down`),
    mend: (machine) => ip(`link set ${linkOf(machine)} up`),
    close: removeAll,
  };
}

const namespaceOf = (machine: DataMachine) => `${BRIDGE}-${machine}`;
const linkOf = (machine: DataMachine) => `${BRIDGE}-${machine}`;

/** Also removes what a killed run has left. */
function removeAll(): void {
  for (const machine of DATA_MACHINES) {
    tryIp(`link del ${linkOf(machine)}`);
    tryIp(`netns del ${namespaceOf(machine)}`);
  }
  tryIp(`link del ${BRIDGE}`);
}

function ip(args: string): void {
  execFileSync('ip', args.split(' '), { stdio: ['ignore', 'ignore', 'pipe'] });
}

function tryIp(args: string): void {
  try {
    ip(args);
  } catch {
    // It doesn't exist.
  }
}

export function isThere(program: string): boolean {
  try {
    execFileSync('sh', ['-c', `command -v ${program}`], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
