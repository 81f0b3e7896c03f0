/** The parts of the extension's APIs that are used (https://developer.chrome.com/docs/extensions/reference/api). */
declare namespace chrome {
  interface Event<Arguments extends unknown[]> {
    addListener(listener: { hear(...args: Arguments): unknown }["hear"]): void;
    removeListener(listener: { hear(...args: Arguments): unknown }["hear"]): void;
  }

  /** a connection between parts of the extension; its messages are JSON */
  interface Port<Message = unknown> {
    name: string;
    onMessage: Event<[message: Message]>;
    onDisconnect: Event<[]>;
    postMessage(message: unknown): void;
    disconnect(): void;
  }

  interface Tab {
    id: number;
    windowId: number;
    groupId: number;
    url: string;
    title: string;
    status: string;
    active: boolean;
    pinned: boolean;
    width: number;
    height: number;
  }

  interface Area {
    /** its caller knows the type of a key's value */
    get<Stored = unknown>(key: string): Promise<Record<string, Stored | undefined>>;
    set(values: object): Promise<void>;
    setAccessLevel(level: object): Promise<void>;
    onChanged: Event<[changes: Record<string, { newValue?: unknown }>]>;
  }

  interface Permissions {
    permissions?: string[];
    origins?: string[];
  }

  /** of a tab or one of its frames */
  interface Navigation {
    tabId: number;
    frameId: number;
    url: string;
    error: string;
    /** of a new window: the tab that has opened it */
    sourceTabId: number;
  }

  interface Download {
    id: number;
    url: string;
    finalUrl: string;
    state: string;
    exists: boolean;
  }

  const tabs: {
    onUpdated: Event<[id: number, change: { status?: string; url?: string }]>;
    onRemoved: Event<[id: number]>;
    get(id: number): Promise<Tab>;
    query(about: object): Promise<Tab[]>;
    create(about: object): Promise<Tab>;
    update(id: number, change: object): Promise<Tab>;
    remove(id: number): Promise<void>;
    connect(id: number, about: { name: string; documentId: string }): Port;
    captureVisibleTab(window: number, options: object): Promise<string>;
    group(about: object): Promise<number>;
    ungroup(ids: number[]): Promise<void>;
  };
  const tabGroups: {
    get(id: number): Promise<{ title?: string; color: string }>;
    query(about: object): Promise<{ id: number }[]>;
    update(id: number, change: object): Promise<unknown>;
  };
  const windows: { update(id: number, change: object): Promise<unknown> };
  const storage: { local: Area; session: Area };
  const permissions: {
    onAdded: Event<[]>;
    onRemoved: Event<[]>;
    contains(wanted: Permissions): Promise<boolean>;
    request(wanted: Permissions): Promise<boolean>;
    remove(wanted: Permissions): Promise<boolean>;
  };
  const scripting: {
    /** its caller knows the function's type */
    executeScript<Result>(about: object): Promise<{ documentId: string; result: Result }[]>;
    getRegisteredContentScripts(filter: object): Promise<object[]>;
    registerContentScripts(scripts: object[]): Promise<void>;
    unregisterContentScripts(filter: object): Promise<void>;
  };
  const webNavigation: {
    onBeforeNavigate: Event<[Navigation]>;
    onErrorOccurred: Event<[Navigation]>;
    onCommitted: Event<[Navigation]>;
    onCreatedNavigationTarget: Event<[Navigation]>;
    getFrame(about: object): Promise<{ documentId: string } | null>;
  };
  const downloads: {
    onCreated: Event<[Download]>;
    search(about: object): Promise<Download[]>;
    cancel(id: number): Promise<void>;
    removeFile(id: number): Promise<void>;
    erase(about: object): Promise<unknown>;
  };
  const declarativeNetRequest: { updateSessionRules(change: object): Promise<void> };
  const debugger_: {
    onEvent: Event<[source: { tabId?: number }, method: string, params: object]>;
    onDetach: Event<[source: { tabId?: number }, reason: string]>;
    attach(target: object, version: string): Promise<void>;
    detach(target: object): Promise<void>;
    /** its caller knows the method's type (https://chromedevtools.github.io/devtools-protocol/) */
    sendCommand<Result>(target: object, method: string, params: object): Promise<Result>;
  };
  export { debugger_ as debugger };
  export { tabs, tabGroups, windows, storage, permissions, scripting, webNavigation, downloads };
  const runtime: {
    lastError: unknown;
    onConnect: Event<[Port]>;
    onInstalled: Event<[]>;
  };
  const sidePanel: { setPanelBehavior(behavior: object): Promise<void> };
  const dom: { openOrClosedShadowRoot(element: Element): ShadowRoot | null };
  export { declarativeNetRequest, runtime, sidePanel, dom };
  export type { Event, Port, Tab, Area, Permissions, Navigation, Download };
}
