//! The servers of docs/guide/proxies.md in front of a service, configured as the page says.
//!
//! A server that is not installed is skipped, with a line that says so.

use std::{
    fs,
    net::{SocketAddr, TcpListener},
    os::unix::{fs::PermissionsExt, process::CommandExt},
    path::Path,
    process::{Child, Command, Stdio},
    time::{Duration, Instant},
};

use formwork::{auth::AccountKind, testing::Service};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpSocket, TcpStream},
};

use super::{config, extensions, raw, skipped::skipped};

const PAGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/guide/proxies.md");

/// The block of the page in this language.
fn example(language: &str) -> String {
    let page = fs::read_to_string(PAGE).expect("the page");
    let begin = format!("```{language}\n");
    let (_, rest) = page.split_once(&begin).expect("the example");
    let (example, _) = rest.split_once("```").expect("its end");
    example.to_owned()
}

/// A server in the foreground; it ends with the test.
struct Front {
    child: Child,
    port: u16,
    _folder: tempfile::TempDir,
}

impl Drop for Front {
    fn drop(&mut self) {
        // By SIGTERM, so that it ends its child processes. It may have ended by itself, which the
        // test has noticed.
        let asked = Command::new("kill")
            .arg(self.child.id().to_string())
            .status();
        if asked.is_ok_and(|status| status.success()) {
            let _ = self.child.wait();
        }
    }
}

impl Front {
    /// Starts a program whose configuration is written by `configure`, once it is installed.
    fn start(program: &str, configure: impl Fn(&Path, u16) -> Vec<String>) -> Option<Self> {
        if !Path::new(program).is_file() {
            skipped(&format!("{program} is not installed"));
            return None;
        }
        let folder = tempfile::tempdir().expect("a folder");
        // Servers change to an unprivileged user, who must be able to read the folder.
        let open = fs::Permissions::from_mode(0o755);
        fs::set_permissions(folder.path(), open).expect("rights");
        let children = (0..10).find_map(|_| Self::started(program, folder.path(), &configure));
        let (child, port) = children.expect("a server that starts");
        Some(Self {
            child,
            port,
            _folder: folder,
        })
    }

    /// The server and its port; `None` where another program took the port meanwhile.
    fn started(
        program: &str,
        folder: &Path,
        configure: impl Fn(&Path, u16) -> Vec<String>,
    ) -> Option<(Child, u16)> {
        let free = TcpListener::bind("127.0.0.1:0").expect("a port");
        let port = free.local_addr().expect("an address").port();
        drop(free);
        let mut child = Command::new(program)
            .args(configure(folder, port))
            // Apache ends the whole group of processes it is in.
            .process_group(0)
            .stdin(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("the server");
        let began = Instant::now();
        while std::net::TcpStream::connect(("127.0.0.1", port)).is_err() {
            if child.try_wait().expect("a state").is_some() {
                return None;
            }
            assert!(
                began.elapsed() < Duration::from_secs(60),
                "it does not listen"
            );
            std::thread::sleep(Duration::from_millis(20));
        }
        Some((child, port))
    }

    /// Sends a request from this address of the loopback network.
    fn ask(&self, service: &Service, from: &str, path: &str, headers: &str) -> String {
        let to: SocketAddr = ([127, 0, 0, 1], self.port).into();
        let from: SocketAddr = format!("{from}:0").parse().expect("an address");
        let request =
            format!("GET {path} HTTP/1.1\r\nHost: x\r\n{headers}Connection: close\r\n\r\n");
        service.block_on(async {
            let socket = TcpSocket::new_v4().expect("a socket");
            socket.bind(from).expect("an address of one's own");
            let mut stream: TcpStream = socket.connect(to).await.expect("a connection");
            stream
                .write_all(request.as_bytes())
                .await
                .expect("a request");
            let mut answer = String::new();
            stream.read_to_string(&mut answer).await.expect("an answer");
            answer
        })
    }
}

fn service(yaml: &str) -> Service {
    let yaml = format!("api: {{ rate_limit: 10, trusted_proxies: [127.0.0.1] }}\n{yaml}");
    Service::limited(config(&yaml), extensions())
}

/// `authorization: Bearer …` of an administrator.
fn token(service: &Service) -> String {
    let id = service.account(AccountKind::Admin, "chef@example.com");
    let token = service.token(AccountKind::Admin, id, &["*"]);
    format!("Authorization: Bearer {token}\r\n")
}

/// How many requests the client has left.
fn left(answer: &str) -> Option<u32> {
    let answer = answer.to_lowercase();
    let (_, rest) = answer.split_once("ratelimit-remaining: ")?;
    rest.lines().next()?.trim().parse().ok()
}

/// The checks that hold behind every proxy.
fn check(front: &Front, service: &Service) {
    let guest = |from: &str, headers: &str| front.ask(service, from, "/api/dishes", headers);
    let first = guest("127.0.0.2", "");
    assert!(first.starts_with("HTTP/1.1 200"), "{first}");
    assert_eq!(left(&first), Some(9), "{first}");
    assert_eq!(left(&guest("127.0.0.3", "")), Some(9), "another client");
    let forged = guest("127.0.0.2", "X-Forwarded-For: 192.0.2.9\r\n");
    assert_eq!(
        left(&forged),
        Some(8),
        "the client's own word does not count"
    );
    let token = token(service);
    assert!(guest("127.0.0.2", &token).starts_with("HTTP/1.1 200"));
    let user = front.ask(service, "127.0.0.2", "/api/token/user", &token);
    assert!(user.contains("chef@example.com"), "{user}");
    let page = front.ask(service, "127.0.0.4", "/api/dishes?page%5Bsize%5D=2", "");
    assert!(page.contains("\"per_page\":2"), "the query arrives: {page}");
}

/// The example, between the ports of this test.
fn fitted(example: &str, service: &Service, port: u16) -> String {
    example
        .replace("127.0.0.1:8000", &raw::address(service).to_string())
        .replace("listen 80;", &format!("listen 127.0.0.1:{port};"))
        .replace("*:80", &format!("127.0.0.1:{port}"))
}

#[test]
fn nginx_in_front() {
    let service = service("");
    let front = Front::start("/usr/sbin/nginx", |folder, port| {
        let shown = folder.display();
        let file = folder.join("nginx.conf");
        let whole = format!(
            "daemon off; pid {shown}/pid; error_log {shown}/error;\nevents {{}}\nhttp {{\n\
             access_log off;\n{}\n}}\n",
            fitted(&example("nginx"), &service, port)
        );
        fs::write(&file, whole).expect("a configuration");
        vec!["-c".to_owned(), file.display().to_string()]
    });
    if let Some(front) = front {
        check(&front, &service);
    }
}

/// Starts Apache with these modules and this host.
fn apache(modules: &[&str], host: impl Fn(&Path, u16) -> String) -> Option<Front> {
    Front::start("/usr/sbin/apache2", |folder, port| {
        let shown = folder.display();
        let file = folder.join("apache.conf");
        let base = ["mpm_prefork", "authz_core"];
        let modules: String = base
            .iter()
            .chain(modules)
            .map(|name| {
                format!("LoadModule {name}_module /usr/lib/apache2/modules/mod_{name}.so\n")
            })
            .collect();
        let whole = format!(
            "ServerRoot {shown}\nServerName x\nPidFile {shown}/pid\nErrorLog {shown}/error\n\
             Mutex file:{shown}\nListen 127.0.0.1:{port}\nStartServers 1\n{modules}{}",
            host(folder, port)
        );
        fs::write(&file, whole).expect("a configuration");
        let file = file.display().to_string();
        vec![
            "-f".to_owned(),
            file,
            "-D".to_owned(),
            "FOREGROUND".to_owned(),
        ]
    })
}

#[test]
fn apache_in_front() {
    let service = service("");
    let front = apache(&["proxy", "proxy_http"], |_, port| {
        fitted(&example("apache"), &service, port)
    });
    if let Some(front) = front {
        check(&front, &service);
    }
}

#[test]
fn a_cgi_script_in_front() {
    if !Path::new("/usr/bin/curl").is_file() {
        skipped("/usr/bin/curl is not installed");
        return;
    }
    let service = service("auth: { authorization_header: HTTP_AUTHORIZATION }");
    let front = apache(&["alias", "cgi"], |folder, port| {
        let script = folder.join("gateway");
        fs::write(&script, fitted(&example("sh"), &service, port)).expect("a script");
        let executable = fs::Permissions::from_mode(0o755);
        fs::set_permissions(&script, executable).expect("rights");
        let scripts = folder.display().to_string();
        fitted(&example("apache-cgi"), &service, port).replace("/usr/lib/cgi-bin", &scripts)
    });
    if let Some(front) = front {
        check(&front, &service);
    }
}
