//! A service that is asked to stop while it works.

use std::{
    io::{Read, Write},
    net::TcpStream,
    process::Stdio,
    time::{Duration, Instant},
};

use super::program::{LIBRARY, command, listening, printed, project, serve, signal};

/// A service ends soon after its patience, whatever still runs.
pub fn the_end_has_an_end() {
    let project = project(LIBRARY);
    let folder = project.path();
    printed(folder, &["migrate"]);
    let mut service = command(folder, &["serve", "--addr", "127.0.0.1:0"])
        .env("FORMWORK_SERVER__SHUTDOWN_TIMEOUT", "1s")
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let address = listening(&mut service);
    let mut socket = TcpStream::connect(&address).expect("a connection");
    let request = b"GET /api/held HTTP/1.1\r\nHost: x\r\n\r\n";
    socket.write_all(request).expect("a request");
    std::thread::sleep(Duration::from_millis(500));
    let began = Instant::now();
    signal(&service, "-TERM");
    while service.try_wait().expect("a child").is_none() {
        if began.elapsed() > Duration::from_secs(60) {
            service.kill().expect("a child");
            panic!("it does not end");
        }
        std::thread::sleep(Duration::from_millis(50));
    }
}

/// Every accepted request is answered, under load too.
pub fn a_second_stop_signal_does_not_abort_requests() {
    let project = project(LIBRARY);
    let folder = project.path();
    printed(folder, &["migrate"]);
    for signals in [&["-INT"][..], &["-TERM", "-TERM", "-INT"]] {
        let mut service = serve(folder);
        let address = listening(&mut service);
        let mut socket = TcpStream::connect(&address).expect("a connection");
        let head = b"POST /api/token HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n\
                     Content-Length: 2\r\nExpect: 100-continue\r\n\r\n";
        socket.write_all(head).expect("half a request");
        // Its body is polled: the request is accepted.
        let mut interim = [0; "HTTP/1.1 100 Continue\r\n\r\n".len()];
        socket.read_exact(&mut interim).expect("an interim answer");
        assert!(interim.starts_with(b"HTTP/1.1 100 "));
        for name in signals {
            signal(&service, name);
            std::thread::sleep(Duration::from_millis(300));
        }
        socket.write_all(b"{}").expect("the rest");
        let mut answer = String::new();
        socket.read_to_string(&mut answer).expect("an answer");
        assert!(answer.starts_with("HTTP/1.1 422"), "{signals:?}: {answer}");
        let ended = service.wait().expect("a child");
        assert!(ended.success(), "{signals:?}: {ended}");
    }
}
